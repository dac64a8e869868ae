//! Compares connected components with a naive implementation.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use corpus_bytes::random::Random;
use corpus_dedup::components::{Component, Components, Ids, IntegerIds, TextIds, Union};

fn shuffle<T>(values: &mut [T], random: &mut Random) {
    for at in (1..values.len()).rev() {
        values.swap(at, random.below(at + 1));
    }
}

/// Returns label and size of each id, by passing labels along the edges until nothing changes.
fn naive<T: Clone + Ord>(edges: &[(T, T)]) -> BTreeMap<T, (T, u64)> {
    let ids: BTreeSet<T> = edges
        .iter()
        .flat_map(|(a, b)| [a.clone(), b.clone()])
        .collect();
    let mut labels: BTreeMap<T, T> = ids.iter().map(|id| (id.clone(), id.clone())).collect();
    loop {
        let mut changed = false;
        for (a, b) in edges {
            let label = labels[a].clone().min(labels[b].clone());
            for id in [a, b] {
                changed |= labels.insert(id.clone(), label.clone()).as_ref() != Some(&label);
            }
        }
        if !changed {
            break;
        }
    }
    let mut sizes: BTreeMap<T, u64> = BTreeMap::new();
    for label in labels.values() {
        *sizes.entry(label.clone()).or_default() += 1;
    }
    let sized = labels.into_iter().map(|(id, label)| {
        let size = sizes[&label];
        (id, (label, size))
    });
    sized.collect()
}

fn integers(edges: &[(i64, i64)]) -> BTreeMap<i64, (i64, u64)> {
    let mut components = Components::<IntegerIds>::default();
    for &(a, b) in edges {
        components.add_edge(a, b).unwrap();
    }
    labels(components)
        .map(|row| (row.id, (row.label, row.size)))
        .collect()
}

fn labels(components: Components<IntegerIds>) -> impl Iterator<Item = Component<i64>> {
    components.finish().iter().collect::<Vec<_>>().into_iter()
}

fn texts(edges: &[(i64, i64)]) -> BTreeMap<String, (String, u64)> {
    let mut components = Components::<TextIds>::default();
    for (a, b) in edges {
        components.add_edge(&a.to_string(), &b.to_string()).unwrap();
    }
    let labels = components.finish();
    let rows = labels
        .iter()
        .map(|row| (row.id.to_owned(), (row.label.to_owned(), row.size)));
    rows.collect()
}

#[test]
fn components_are_those_of_a_naive_search_in_any_order_of_edges() {
    let mut random = Random(1);
    for round in 0..100 {
        let (ids, count) = (1 + random.below(60), random.below(80));
        let id = |random: &mut Random| match random.below(20) {
            0 => i64::MIN,
            1 => i64::MAX,
            _ => random.below(ids) as i64 - 20,
        };
        let mut edges: Vec<(i64, i64)> = (0..count)
            .map(|_| (id(&mut random), id(&mut random)))
            .collect();
        let expected = naive(&edges);
        let as_texts: Vec<_> = edges
            .iter()
            .map(|(a, b)| (a.to_string(), b.to_string()))
            .collect();
        let expected_texts = naive(&as_texts);
        for _ in 0..3 {
            assert_eq!(integers(&edges), expected, "round {round}");
            assert_eq!(texts(&edges), expected_texts, "round {round}");
            shuffle(&mut edges, &mut random);
            for edge in &mut edges {
                if random.below(2) == 0 {
                    *edge = (edge.1, edge.0);
                }
            }
        }
    }
}

#[test]
fn no_component_exceeds_the_maximum_size_and_refused_edges_are_counted() {
    let mut random = Random(2);
    for round in 0..100 {
        let (ids, count, max_size) = (
            1 + random.below(60),
            random.below(100),
            1 + random.below(6) as u32,
        );
        let edges: Vec<(i64, i64)> = (0..count)
            .map(|_| (random.below(ids) as i64, random.below(ids) as i64))
            .collect();
        let mut components = Components::<IntegerIds>::with_max_size(max_size);
        let mut kept = Vec::new();
        let mut refused = Vec::new();
        for &(a, b) in &edges {
            match components.add_edge(a, b).unwrap() {
                Union::Refused => refused.push((a, b)),
                Union::Merged | Union::Known => kept.push((a, b)),
            }
        }
        // Refused edges merge nothing; the others give the same components as without a maximum.
        kept.extend(edges.iter().flat_map(|&(a, b)| [(a, a), (b, b)]));
        let expected = naive(&kept);
        let mut counts: BTreeMap<i64, u32> = BTreeMap::new();
        for (a, b) in refused {
            *counts.entry(expected[&a].0).or_default() += 1;
            *counts.entry(expected[&b].0).or_default() += 1;
        }
        let mut rows = 0;
        for row in labels(components) {
            assert!(row.size <= u64::from(max_size), "round {round}");
            assert_eq!((row.label, row.size), expected[&row.id], "round {round}");
            assert_eq!(
                row.refused_edges,
                counts.get(&row.label).copied().unwrap_or(0)
            );
            rows += 1;
        }
        assert_eq!(rows, expected.len());
    }
}

/// Returns all rows of components.
fn rows(components: Components<IntegerIds>) -> Vec<(i64, i64, u64, u32)> {
    let rows = labels(components).map(|row| (row.id, row.label, row.size, row.refused_edges));
    rows.collect()
}

#[test]
fn many_ids_and_edges_at_once_are_added_in_their_order() {
    let mut random = Random(4);
    for (ids, max_size) in [(10, 3), (5_000, 4), (5_000, u32::MAX), (1 << 40, 2)] {
        let mut one_by_one = Components::<IntegerIds>::with_max_size(max_size);
        let mut at_once = Components::<IntegerIds>::with_max_size(max_size);
        for count in [0, 1, 255, 256, 257, 3000] {
            let mut draw = || {
                (0..count)
                    .map(|_| random.below(ids) as i64)
                    .collect::<Vec<_>>()
            };
            let (first, second) = (draw(), draw());
            let number = |id: &i64| one_by_one.add_node(*id).unwrap();
            let first_numbers: Vec<u32> = first.iter().map(number).collect();
            let number = |id: &i64| one_by_one.add_node(*id).unwrap();
            let second_numbers: Vec<u32> = second.iter().map(number).collect();
            assert_eq!(at_once.add_nodes(&first).unwrap(), first_numbers);
            assert_eq!(at_once.add_nodes(&second).unwrap(), second_numbers);
            let edges = || {
                first_numbers
                    .iter()
                    .copied()
                    .zip(second_numbers.iter().copied())
            };
            let unions = edges().map(|(a, b)| one_by_one.connect(a, b));
            let refused = unions.filter(|union| *union == Union::Refused).count();
            assert_eq!(at_once.connect_all(edges()), refused);
        }
        assert_eq!(rows(at_once), rows(one_by_one));
    }
}

/// The longest paths, from all ends. They must cost as little as other shapes, and no recursion.
#[test]
fn long_chains_and_large_stars_are_one_component() {
    const COUNT: i64 = 200_000;
    let shapes: [fn(i64) -> (i64, i64); 4] = [
        |id| (id, id + 1),
        |id| (COUNT - id, COUNT - id - 1),
        |id| (0, id + 1),
        |id| (id + 1, COUNT),
    ];
    for shape in shapes {
        let mut components = Components::<IntegerIds>::default();
        for id in 0..COUNT {
            components.add_edge(shape(id).0, shape(id).1).unwrap();
        }
        let labels = components.finish();
        assert!(labels.len() >= COUNT as usize);
        let smallest = labels.iter().map(|row| row.id).min().unwrap();
        for row in labels.iter() {
            assert_eq!((row.label, row.size), (smallest, labels.len() as u64));
        }
    }
}

#[test]
fn a_node_takes_less_than_40_bytes() {
    let mut components = Components::<IntegerIds>::default();
    for id in 0..500_000i64 {
        components.add_edge(id, id / 10).unwrap();
        let count = id as usize + 1;
        if count > 10_000 {
            assert!(
                components.memory() < 40 * count,
                "{} of {count}",
                components.memory()
            );
        }
    }
    let (before, labels) = (components.memory(), components.finish());
    assert!(labels.memory() < before);
}

#[test]
fn texts_keep_their_bytes_and_order() {
    let mut components = Components::<TextIds>::default();
    for (a, b) in [("b", ""), ("日本", "b"), ("B", "a")] {
        components.add_edge(a, b).unwrap();
    }
    assert!(components.memory() > 0);
    let labels = components.finish();
    let found: Vec<_> = labels
        .iter()
        .map(|row| (row.id, row.label, row.size))
        .collect();
    let expected = [
        ("b", "", 3),
        ("", "", 3),
        ("日本", "", 3),
        ("B", "B", 2),
        ("a", "B", 2),
    ];
    assert_eq!(found, expected);
    assert_eq!(TextIds::default().find("a"), None);
}
