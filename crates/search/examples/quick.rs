use tabia_core::*; use tabia_search::*; use tabia_eval::pst::Pst;
fn main(){
  let a: Vec<String>=std::env::args().collect();
  if a[1]=="bench" { let d=a.get(2).map_or(13,|x|x.parse().unwrap());
    let o=bench::run(&Pst::default(),&engine::Settings::default(),d,&mut |i,f,n| eprintln!("{i} {f} {n}")).unwrap();
    println!("{} nodes {} nps", o.nodes, (o.nodes as f64/o.elapsed.as_secs_f64()) as u64); return; }
  let g=ChessGame::from_fen(&a[1]).unwrap();
  let mut e=engine::Engine::new(Pst::default(),engine::Settings::default());
  let r=e.search(&g,&Limits::nodes(a[2].parse().unwrap()),&Stop::new(),&mut |t| println!("{} {}/{} {:?} {} {} {}ms {}",t.rank,t.depth,t.selective_depth,t.bound,t.score,t.nodes,t.elapsed.as_millis(),t.line.iter().map(|m| m.to_string()).collect::<Vec<_>>().join(" "))).unwrap();
  println!("{:?}",r);
}
