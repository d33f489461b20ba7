//! A good start for the primal-dual method: potentials from the classes alone, and as many edges
//! without slack as fit.

use super::{BitMatrix, Costs, NONE, Solver, Weight, ones};

/// A perfect matching of least cost, if there is one. `hint` gives for a vertex the partner that is
/// tried first; it speeds the search up, no more.
pub fn solve<W: Weight>(
    costs: &Costs<W>,
    graph: BitMatrix,
    hint: impl Fn(usize) -> usize,
) -> Option<Solver<'_, W>> {
    let size = graph.size();
    let potential = if costs.class_count() * 3 <= size {
        by_class(costs, size)
    } else {
        None
    }
    .or_else(|| by_vertex(costs, &graph))?;
    let mut mate = vec![NONE; size];
    for a in 0..size {
        let b = hint(a);
        if b < size
            && mate[a] == NONE
            && mate[b] == NONE
            && graph.get(a, b)
            && costs.of(a, b).double() == potential[a] + potential[b]
        {
            mate[a] = b;
            mate[b] = a;
        }
    }
    let mut solver = Solver::new(costs, graph, &potential, mate);
    solver.solve().then_some(solver)
}

/// Every vertex bears its cheapest edge. Nothing when a vertex has no edge.
fn by_vertex<W: Weight>(costs: &Costs<W>, graph: &BitMatrix) -> Option<Vec<W>> {
    (0..graph.size())
        .map(|a| ones(graph.row(a)).map(|b| costs.of(a, b)).min())
        .collect()
}

/// The potentials of the matching between two copies of the field in which every class is one node:
/// a transport problem, solved by shortest ways. Half its potentials are feasible for the field, and
/// nearly always the best ones too.
fn by_class<W: Weight>(costs: &Costs<W>, size: usize) -> Option<Vec<W>> {
    let classes = costs.class_count();
    let mut counts = vec![0_usize; classes];
    for &class in costs.classes() {
        counts[class] += 1;
    }
    let edge = |a: usize, b: usize| (a != b || counts[a] > 1).then(|| costs.between(a, b));
    let mut demand = counts.clone();
    let mut flow = vec![0_usize; classes * classes];
    // row + column ≤ cost, with equality wherever something flows.
    let mut row: Vec<W> = (0..classes)
        .map(|a| (0..classes).filter_map(|b| edge(a, b)).min())
        .collect::<Option<_>>()?;
    let mut column = vec![W::ZERO; classes];
    for (source, &members) in counts.iter().enumerate() {
        let mut supply = members;
        while supply > 0 {
            let way = shortest(&edge, &flow, &row, &column, &demand, source)?;
            let end = way.distance[way.end]?;
            // The usual correction keeps all reduced costs at zero or more.
            for (row, distance) in row.iter_mut().zip(&way.row_distance) {
                if let Some(distance) = *distance
                    && distance < end
                {
                    *row = *row + (end - distance);
                }
            }
            for (column, distance) in column.iter_mut().zip(&way.distance) {
                if let Some(distance) = *distance
                    && distance < end
                {
                    *column = *column - (end - distance);
                }
            }
            // How much fits through the way.
            let mut amount = supply.min(demand[way.end]);
            let mut b = way.end;
            loop {
                let a = way.parent[b];
                if a == source {
                    break;
                }
                let before = way.row_parent[a];
                amount = amount.min(flow[a * classes + before]);
                b = before;
            }
            let mut b = way.end;
            loop {
                let a = way.parent[b];
                flow[a * classes + b] += amount;
                if a == source {
                    break;
                }
                let before = way.row_parent[a];
                flow[a * classes + before] -= amount;
                b = before;
            }
            supply -= amount;
            demand[way.end] -= amount;
        }
    }
    let potential: Vec<W> = (0..size)
        .map(|v| {
            let class = costs.classes()[v];
            row[class] + column[class]
        })
        .collect();
    Some(potential)
}

struct Way<W> {
    end: usize,
    distance: Vec<Option<W>>,
    parent: Vec<usize>,
    row_distance: Vec<Option<W>>,
    row_parent: Vec<usize>,
}

/// The cheapest way from a class with supply left to one with demand left.
fn shortest<W: Weight>(
    edge: &impl Fn(usize, usize) -> Option<W>,
    flow: &[usize],
    row: &[W],
    column: &[W],
    demand: &[usize],
    source: usize,
) -> Option<Way<W>> {
    let classes = row.len();
    let mut way = Way {
        end: NONE,
        distance: vec![None; classes],
        parent: vec![NONE; classes],
        row_distance: vec![None; classes],
        row_parent: vec![NONE; classes],
    };
    let mut done = vec![false; classes];
    let mut rows = vec![source];
    way.row_distance[source] = Some(W::ZERO);
    loop {
        for a in rows.drain(..) {
            let Some(so_far) = way.row_distance[a] else {
                continue;
            };
            for b in 0..classes {
                let Some(cost) = edge(a, b) else { continue };
                let distance = so_far + (cost - row[a] - column[b]);
                if !done[b] && way.distance[b].is_none_or(|known| distance < known) {
                    way.distance[b] = Some(distance);
                    way.parent[b] = a;
                }
            }
        }
        let b = (0..classes)
            .filter(|&b| !done[b] && way.distance[b].is_some())
            .min_by_key(|&b| way.distance[b])?;
        done[b] = true;
        if demand[b] > 0 {
            way.end = b;
            // What was not reached for good counts as far away.
            for (distance, done) in way.distance.iter_mut().zip(&done) {
                if !done {
                    *distance = None;
                }
            }
            return Some(way);
        }
        for a in 0..classes {
            if flow[a * classes + b] > 0 && way.row_distance[a].is_none() {
                way.row_distance[a] = way.distance[b];
                way.row_parent[a] = b;
                rows.push(a);
            }
        }
    }
}
