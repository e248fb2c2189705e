use tabia_core::*; use tabia_search::*; use tabia_eval::pst::Pst;
fn main(){
  let a: Vec<String>=std::env::args().collect();
  let want: i32=a[2].parse().unwrap(); let limit: u64=a[3].parse().unwrap(); let usemate=a.get(4).is_some();
  let text=std::fs::read_to_string(&a[1]).unwrap();
  let (mut n,mut ok,mut nodes)=(0,0,0u64);
  let mut e=engine::Engine::new(Pst::default(),engine::Settings::default());
  for line in text.lines().filter(|l| !l.is_empty()) {
    let f: Vec<&str>=line.split_whitespace().collect();
    let fen=f[..4].join(" ");
    let Ok(g)=ChessGame::from_fen(&fen) else {println!("BAD {fen}"); continue};
    e.clear();
    let mut lim=Limits::nodes(limit); if usemate {lim.mate=Some(want as u32)};
    let stop=Stop::new();
    let s2=stop.clone();
    let mut mn=0;
    let r=e.search(&g,&lim,&stop,&mut |t| if t.score.moves_to_mate()==Some(want) {mn=t.nodes; s2.stop()}).unwrap();
    n+=1; nodes+=if mn>0 {mn} else {r.nodes};
    if r.score.moves_to_mate()==Some(want) {ok+=1} else {println!("{fen} {} {}",r.score,r.depth)}
  }
  println!("{} {ok}/{n} avg nodes {}",a[1],nodes/n);
}
