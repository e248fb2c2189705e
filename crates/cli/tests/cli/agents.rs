//! `tabia agents`.

use super::tabia;

#[test]
fn all_agents_are_listed_with_their_options() {
    let document = tabia(&["agents", "--json"]).json();
    let agents = document["agents"].as_array().unwrap();
    let names: Vec<_> = agents.iter().map(|agent| agent["name"].as_str().unwrap()).collect();
    for name in ["engine", "alphabeta", "random"] {
        assert!(names.contains(&name), "{names:?}");
    }
    for option in agents.iter().flat_map(|agent| agent["options"].as_array().unwrap()) {
        assert!(!option["key"].as_str().unwrap().is_empty());
        assert!(!option["help"].as_str().unwrap().is_empty());
        assert!(option["default"].is_null() || option["default"].is_string());
        match option["kind"].as_str().unwrap() {
            "integer" => assert!(option["min"].is_i64()),
            "real" => assert!(option["min"].is_number() && option["max"].is_number()),
            "choice" => assert!(!option["values"].as_array().unwrap().is_empty()),
            kind => assert!(["switch", "text"].contains(&kind), "{kind}"),
        }
    }
    let text = tabia(&["agents"]);
    assert!(text.code == 0 && names.iter().all(|name| text.stdout.contains(name)));
    assert!(!text.stdout.contains('\x1b'), "no colour in a pipe");
}
