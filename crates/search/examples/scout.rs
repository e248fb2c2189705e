use tabia_core::*; use tabia_search::*; use engine::mate::*;
fn main(){
  let a: Vec<String>=std::env::args().collect();
  let want: usize=a[2].parse().unwrap(); let limit: u64=a[3].parse().unwrap();
  let text=std::fs::read_to_string(&a[1]).unwrap();
  let (mut n,mut ok)=(0,0); let mut all=vec![];
  for line in text.lines().filter(|l| !l.is_empty()) {
    let f: Vec<&str>=line.split_whitespace().collect();
    let fen=f[..4].join(" ");
    let Ok(g)=ChessGame::from_fen(&fen) else {println!("BAD {fen}"); continue};
    let p=engine::position::Position::new(g.position());
    let mut s=Scout::new(limit);
    let mut v=Verdict::None;
    for m in 1..=want { v=s.search(&p,m,&[]); if v!=Verdict::None {if m<want && v!=Verdict::OutOfNodes {println!("shorter {m} {fen}")} break} }
    n+=1; all.push(s.nodes);
    if matches!(v,Verdict::Mate(_)) {ok+=1} else {println!("{fen} {v:?}")}
  }
  all.sort();
  println!("{} {ok}/{n} nodes median {} p90 {} p99 {} max {}",a[1],all[n/2],all[n*9/10],all[n*99/100],all[n-1]);
}
