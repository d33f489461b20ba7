//! Perfect matchings of least cost: the primal-dual method of Edmonds with one tree at a time, in
//! O(n³), and able to go on from any feasible start.
//!
//! A vertex has a potential, an odd set ("blossom") a charge that is never negative. The slack of an
//! edge, `2·cost − potential − potential` plus the charges of the blossoms that hold both ends, is
//! never negative; matched edges have none. Then a perfect matching is one of least cost.

use super::{BitMatrix, NONE, Weight};

/// The costs of edges, by classes of vertices that cost the same.
#[derive(Clone, Debug)]
pub struct Costs<W> {
    class: Vec<usize>,
    classes: usize,
    table: Vec<W>,
    /// Each cost twice, as the slacks need it.
    doubled: Vec<W>,
}

impl<W: Weight> Costs<W> {
    /// From the class of each vertex and a function that gives the cost between two classes; it must
    /// be symmetric.
    pub fn new(class: Vec<usize>, classes: usize, cost: impl Fn(usize, usize) -> W) -> Self {
        let mut table = Vec::with_capacity(classes * classes);
        for a in 0..classes {
            for b in 0..classes {
                table.push(if b < a {
                    table[b * classes + a]
                } else {
                    cost(a, b)
                });
            }
        }
        let doubled = table.iter().map(|cost| cost.double()).collect();
        Self {
            class,
            classes,
            table,
            doubled,
        }
    }

    /// The cost of an edge.
    pub fn of(&self, a: usize, b: usize) -> W {
        self.table[self.class[a] * self.classes + self.class[b]]
    }

    /// Twice the cost of an edge.
    fn twice(&self, a: usize, b: usize) -> W {
        self.doubled[self.class[a] * self.classes + self.class[b]]
    }

    /// Twice the costs of the edges of a vertex, by class.
    fn twice_from(&self, a: usize) -> &[W] {
        &self.doubled[self.class[a] * self.classes..][..self.classes]
    }

    /// The cost between two classes.
    pub fn between(&self, a: usize, b: usize) -> W {
        self.table[a * self.classes + b]
    }

    /// The class of each vertex.
    pub fn classes(&self) -> &[usize] {
        &self.class
    }

    /// How many classes there are.
    pub fn class_count(&self) -> usize {
        self.classes
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    /// Not in the tree.
    Free,
    /// At even distance from the root.
    Even,
    /// At odd distance.
    Odd,
}

#[derive(Clone, Debug)]
struct Blossom<W> {
    charge: W,
    /// The parts around the cycle; the first holds the base.
    parts: Vec<usize>,
    /// The edge from each part to the next: (vertex in it, vertex in the next).
    links: Vec<(usize, usize)>,
    /// The vertex that is matched outside.
    base: usize,
    /// All vertices.
    leaves: Vec<usize>,
    /// For each vertex outside, the vertex inside with the least slack to it.
    nearest: Vec<usize>,
}

/// The state of the method: potentials, blossoms, matching.
#[derive(Clone, Debug)]
pub struct Solver<'a, W> {
    costs: &'a Costs<W>,
    graph: BitMatrix,
    potential: Vec<W>,
    mate: Vec<usize>,
    /// The outermost blossom of each vertex, or the vertex itself.
    top: Vec<usize>,
    /// Blossom `b` has the number `size + b`.
    blossoms: Vec<Option<Blossom<W>>>,
    unused: Vec<usize>,
    // One search.
    label: Vec<Label>,
    /// The edge by which an odd part was reached: (even vertex, vertex in it).
    entry: Vec<(usize, usize)>,
    /// For a part that is not odd, the even vertex outside it with the least slack.
    closest: Vec<usize>,
    queue: Vec<usize>,
    marks: Vec<u32>,
    mark: u32,
}

impl<'a, W: Weight> Solver<'a, W> {
    /// Starts with these potentials, which must leave no edge a negative slack, and a matching that
    /// uses edges without slack only.
    pub fn new(costs: &'a Costs<W>, graph: BitMatrix, potential: Vec<W>, mate: Vec<usize>) -> Self {
        let size = graph.size();
        Self {
            costs,
            graph,
            potential,
            mate,
            top: (0..size).collect(),
            blossoms: Vec::new(),
            unused: Vec::new(),
            label: vec![Label::Free; size],
            entry: vec![(NONE, NONE); size],
            closest: vec![NONE; size],
            queue: Vec::new(),
            marks: vec![0; size],
            mark: 0,
        }
    }

    /// The matching.
    pub fn mates(&self) -> &[usize] {
        &self.mate
    }

    /// The sum of the costs of the matching.
    pub fn total(&self) -> W {
        let mut total = W::ZERO;
        for (a, &b) in self.mate.iter().enumerate() {
            if b != NONE && a < b {
                total = total + self.costs.of(a, b);
            }
        }
        total
    }

    /// Matches everybody at least cost; false when no perfect matching exists.
    pub fn solve(&mut self) -> bool {
        for root in 0..self.mate.len() {
            if self.mate[root] == NONE && !self.grow(root) {
                return false;
            }
        }
        true
    }

    /// The edges without slack. Together with the charged blossoms they hold all best matchings.
    pub fn tight(&self) -> BitMatrix {
        let size = self.mate.len();
        let chains = self.chains();
        let mut tight = BitMatrix::new(size);
        for a in 0..size {
            for b in super::bits::ones(self.graph.row(a)) {
                if a > b {
                    continue;
                }
                let mut slack = self.slack(a, b);
                if slack > W::ZERO {
                    continue;
                }
                for (one, two) in chains[a].iter().zip(&chains[b]) {
                    if one != two {
                        break;
                    }
                    if let Some(blossom) = self.blossom(*one) {
                        slack = slack + blossom.charge;
                    }
                }
                if slack == W::ZERO {
                    tight.set_both(a, b);
                }
            }
        }
        tight
    }

    /// How often an edge crosses a charged blossom, and how many there are, if any.
    pub fn crossings(&self) -> Option<(Costs<i64>, i64)> {
        let mut classes: Vec<Vec<usize>> = Vec::new();
        let class = self
            .chains()
            .into_iter()
            .map(|mut chain| {
                chain.retain(|&part| {
                    self.blossom(part)
                        .is_some_and(|blossom| blossom.charge > W::ZERO)
                });
                classes
                    .iter()
                    .position(|known| *known == chain)
                    .unwrap_or_else(|| {
                        classes.push(chain);
                        classes.len() - 1
                    })
            })
            .collect();
        let charged = self
            .blossoms
            .iter()
            .flatten()
            .filter(|blossom| blossom.charge > W::ZERO)
            .count();
        let costs = Costs::new(class, classes.len(), |a, b| {
            let (one, two) = (&classes[a], &classes[b]);
            let common = one.iter().zip(two).take_while(|(x, y)| x == y).count();
            i64::from((one.len() + two.len() - 2 * common) as u32)
        });
        (charged > 0).then_some((costs, i64::from(charged as u32)))
    }

    /// The blossoms that hold each vertex, from the outside in.
    fn chains(&self) -> Vec<Vec<usize>> {
        let mut blossoms: Vec<(usize, &Blossom<W>)> = (self.mate.len()..)
            .zip(&self.blossoms)
            .filter_map(|(part, blossom)| Some((part, blossom.as_ref()?)))
            .collect();
        blossoms.sort_by_key(|(_, blossom)| std::cmp::Reverse(blossom.leaves.len()));
        let mut chains = vec![Vec::new(); self.mate.len()];
        for (part, blossom) in blossoms {
            for &leaf in &blossom.leaves {
                chains[leaf].push(part);
            }
        }
        chains
    }

    fn slack(&self, a: usize, b: usize) -> W {
        self.costs.twice(a, b) - self.potential[a] - self.potential[b]
    }

    fn blossom(&self, part: usize) -> Option<&Blossom<W>> {
        self.blossoms
            .get(part.checked_sub(self.mate.len())?)?
            .as_ref()
    }

    fn base(&self, part: usize) -> usize {
        self.blossom(part).map_or(part, |blossom| blossom.base)
    }

    /// The vertex of the part with the least slack to a vertex outside.
    fn nearest(&self, part: usize, outside: usize) -> usize {
        match self.blossom(part) {
            Some(blossom) => blossom.nearest[outside],
            None if self.graph.get(part, outside) => part,
            None => NONE,
        }
    }

    fn leaves(&self, part: usize) -> Vec<usize> {
        self.blossom(part)
            .map_or_else(|| vec![part], |blossom| blossom.leaves.clone())
    }

    fn make_top(&mut self, part: usize) {
        for leaf in self.leaves(part) {
            self.top[leaf] = part;
        }
    }

    fn grow(&mut self, root: usize) -> bool {
        let size = self.mate.len();
        self.label.fill(Label::Free);
        self.closest.fill(NONE);
        self.queue.clear();
        self.make_even(self.top[root]);
        let mut next = 0;
        loop {
            while let Some(&x) = self.queue.get(next) {
                next += 1;
                if self.scan(x) {
                    return true;
                }
            }
            let parts = self.outermost();
            let Some(step) = self.step(&parts) else {
                return false;
            };
            self.adjust(step);
            for part in parts {
                let x = self.closest[part];
                // An earlier round of this loop may have moved the part or the vertex.
                if x == NONE || !self.is_outermost(part) || self.top[x] == part {
                    continue;
                }
                if self.label[part] == Label::Odd {
                    continue;
                }
                let y = self.nearest(part, x);
                if y != NONE && self.slack(x, y) == W::ZERO && self.found(x, y) {
                    return true;
                }
            }
            for index in 0..self.blossoms.len() {
                let part = size + index;
                let spent = self.blossoms[index]
                    .as_ref()
                    .is_some_and(|blossom| blossom.charge == W::ZERO);
                if spent && self.is_outermost(part) && self.label[part] == Label::Odd {
                    self.expand(part);
                }
            }
        }
    }

    fn is_outermost(&self, part: usize) -> bool {
        match self.blossom(part) {
            Some(blossom) => self.top[blossom.leaves[0]] == part,
            None => part < self.mate.len() && self.top[part] == part,
        }
    }

    fn outermost(&self) -> Vec<usize> {
        (0..self.mate.len() + self.blossoms.len())
            .filter(|&part| self.is_outermost(part))
            .collect()
    }

    fn make_even(&mut self, part: usize) {
        self.label[part] = Label::Even;
        let leaves = self.leaves(part);
        self.queue.extend(leaves);
    }

    /// Looks at the edges of an even vertex; true when the matching has grown.
    fn scan(&mut self, x: usize) -> bool {
        let costs = self.costs;
        let twice = costs.twice_from(x);
        for at in 0..self.graph.row(x).len() {
            let mut word = self.graph.row(x)[at];
            while word != 0 {
                let y = at * 64 + word.trailing_zeros() as usize;
                word &= word - 1;
                let part = self.top[y];
                if part == self.top[x] || self.label[part] == Label::Odd {
                    continue;
                }
                let slack = twice[costs.class[y]] - self.potential[x] - self.potential[y];
                if slack == W::ZERO {
                    if self.found(x, y) {
                        return true;
                    }
                } else if part == y {
                    let before = self.closest[y];
                    if before == NONE || slack < self.slack(before, y) {
                        self.closest[y] = x;
                    }
                } else {
                    self.consider(x, part);
                }
            }
        }
        false
    }

    fn consider(&mut self, x: usize, part: usize) {
        let y = self.nearest(part, x);
        if y == NONE {
            return;
        }
        let before = self.closest[part];
        if before == NONE || self.slack(x, y) < self.slack(before, self.nearest(part, before)) {
            self.closest[part] = x;
        }
    }

    fn find_closest(&mut self, part: usize) {
        self.closest[part] = NONE;
        for x in 0..self.mate.len() {
            if self.top[x] != part && self.label[self.top[x]] == Label::Even {
                self.consider(x, part);
            }
        }
    }

    /// How far the potentials can move; nothing when the tree cannot grow any more.
    fn step(&self, parts: &[usize]) -> Option<W> {
        let mut step: Option<W> = None;
        let mut least = |value: W| {
            if step.is_none_or(|step| value < step) {
                step = Some(value);
            }
        };
        for &part in parts {
            if self.label[part] == Label::Odd {
                if let Some(blossom) = self.blossom(part) {
                    least(blossom.charge.half());
                }
                continue;
            }
            let x = self.closest[part];
            if x == NONE {
                continue;
            }
            let slack = self.slack(x, self.nearest(part, x));
            least(if self.label[part] == Label::Even {
                slack.half()
            } else {
                slack
            });
        }
        step
    }

    fn adjust(&mut self, step: W) {
        if step == W::ZERO {
            return;
        }
        for v in 0..self.mate.len() {
            match self.label[self.top[v]] {
                Label::Even => self.potential[v] = self.potential[v] + step,
                Label::Odd => self.potential[v] = self.potential[v] - step,
                Label::Free => {}
            }
        }
        let size = self.mate.len();
        for index in 0..self.blossoms.len() {
            if !self.is_outermost(size + index) {
                continue;
            }
            let label = self.label[size + index];
            if let Some(blossom) = self.blossoms[index].as_mut() {
                match label {
                    Label::Even => blossom.charge = blossom.charge + step.double(),
                    Label::Odd => blossom.charge = blossom.charge - step.double(),
                    Label::Free => {}
                }
            }
        }
    }

    /// An edge without slack from an even vertex to another part; true when the matching has grown.
    fn found(&mut self, x: usize, y: usize) -> bool {
        let part = self.top[y];
        match self.label[part] {
            Label::Odd => false,
            Label::Free => {
                let beyond = self.mate[self.base(part)];
                if beyond == NONE {
                    self.augment(x, y);
                    return true;
                }
                self.label[part] = Label::Odd;
                self.entry[part] = (x, y);
                let beyond = self.top[beyond];
                self.closest[part] = NONE;
                self.closest[beyond] = NONE;
                self.make_even(beyond);
                false
            }
            Label::Even => {
                self.contract(x, y);
                false
            }
        }
    }

    fn augment(&mut self, x: usize, y: usize) {
        let (mut x, mut y) = (x, y);
        self.make_base(self.top[y], y);
        self.mate[y] = x;
        loop {
            let even = self.top[x];
            let before = self.mate[self.base(even)];
            self.make_base(even, x);
            self.mate[x] = y;
            if before == NONE {
                return;
            }
            let odd = self.top[before];
            (x, y) = self.entry[odd];
            self.make_base(odd, y);
            self.mate[y] = x;
        }
    }

    /// Rematches a blossom within so that `vertex` is the one that is matched outside.
    fn make_base(&mut self, part: usize, vertex: usize) {
        let Some(blossom) = self.blossom(part) else {
            return;
        };
        let count = blossom.parts.len();
        let Some(at) = blossom
            .parts
            .iter()
            .position(|&inner| inner == vertex || self.holds(inner, vertex))
        else {
            return;
        };
        let inner = blossom.parts[at];
        let pairs: Vec<(usize, usize, usize, usize)> = if at % 2 == 0 {
            (0..at).step_by(2).collect::<Vec<_>>()
        } else {
            (at + 1..count).step_by(2).collect()
        }
        .into_iter()
        .map(|link| {
            let (x, y) = blossom.links[link];
            (blossom.parts[link], x, blossom.parts[(link + 1) % count], y)
        })
        .collect();
        self.make_base(inner, vertex);
        for (a, x, b, y) in pairs {
            self.make_base(a, x);
            self.make_base(b, y);
            self.mate[x] = y;
            self.mate[y] = x;
        }
        let index = part - self.mate.len();
        if let Some(Some(blossom)) = self.blossoms.get_mut(index) {
            blossom.parts.rotate_left(at);
            blossom.links.rotate_left(at);
            blossom.base = vertex;
        }
    }

    fn holds(&self, part: usize, vertex: usize) -> bool {
        self.blossom(part)
            .is_some_and(|blossom| blossom.leaves.contains(&vertex))
    }

    /// The way from an even part up to the root: (even part, odd part above it, …).
    fn parent(&self, even: usize) -> Option<(usize, usize)> {
        let beyond = self.mate[self.base(even)];
        if beyond == NONE {
            return None;
        }
        let odd = self.top[beyond];
        Some((odd, self.top[self.entry[odd].0]))
    }

    fn common(&mut self, a: usize, b: usize) -> usize {
        self.mark += 1;
        let (mut a, mut b) = (a, b);
        loop {
            if a != NONE {
                if self.marks[a] == self.mark {
                    return a;
                }
                self.marks[a] = self.mark;
                a = self.parent(a).map_or(NONE, |(_, even)| even);
            }
            std::mem::swap(&mut a, &mut b);
        }
    }

    fn contract(&mut self, x: usize, y: usize) {
        let size = self.mate.len();
        let top = self.common(self.top[x], self.top[y]);
        // Down from the common part to x, then up again from y.
        let mut parts = Vec::new();
        let mut links = Vec::new();
        let mut even = self.top[x];
        while even != top
            && let Some((odd, above)) = self.parent(even)
        {
            let base = self.base(even);
            parts.extend([even, odd]);
            let (from, to) = self.entry[odd];
            links.extend([(self.mate[base], base), (from, to)]);
            even = above;
        }
        parts.push(top);
        parts.reverse();
        links.reverse();
        links.push((x, y));
        even = self.top[y];
        while even != top
            && let Some((odd, above)) = self.parent(even)
        {
            let base = self.base(even);
            parts.extend([even, odd]);
            let (from, to) = self.entry[odd];
            links.extend([(base, self.mate[base]), (to, from)]);
            even = above;
        }
        for &part in &parts {
            if self.label[part] == Label::Odd {
                self.queue.extend(self.leaves(part));
            }
        }
        let leaves: Vec<usize> = parts.iter().flat_map(|&part| self.leaves(part)).collect();
        let nearest = self.nearest_of(&parts, &leaves);
        let blossom = Blossom {
            charge: W::ZERO,
            base: self.base(top),
            parts,
            links,
            leaves,
            nearest,
        };
        let index = self.unused.pop().unwrap_or_else(|| {
            self.blossoms.push(None);
            self.label.push(Label::Free);
            self.entry.push((NONE, NONE));
            self.closest.push(NONE);
            self.marks.push(0);
            self.blossoms.len() - 1
        });
        self.blossoms[index] = Some(blossom);
        let part = size + index;
        self.label[part] = Label::Even;
        self.make_top(part);
        self.find_closest(part);
    }

    /// For each vertex outside these parts, the vertex inside with the least slack to it.
    fn nearest_of(&self, parts: &[usize], leaves: &[usize]) -> Vec<usize> {
        let mut outside = vec![true; self.mate.len()];
        for &leaf in leaves {
            outside[leaf] = false;
        }
        let largest = parts
            .iter()
            .copied()
            .max_by_key(|&part| self.blossom(part).map_or(0, |inner| inner.leaves.len()));
        let mut nearest = match largest.and_then(|part| self.blossom(part)) {
            Some(inner) => inner.nearest.clone(),
            None => vec![NONE; self.mate.len()],
        };
        for &part in parts {
            let inner = self.blossom(part);
            if inner.is_some() && Some(part) == largest {
                continue;
            }
            let mut better = |v: usize, near: usize| {
                let best = nearest[v];
                // The potential of v stands on both sides.
                if best == NONE
                    || self.costs.twice(near, v) - self.potential[near]
                        < self.costs.twice(best, v) - self.potential[best]
                {
                    nearest[v] = near;
                }
            };
            match inner {
                Some(inner) => {
                    for (v, &near) in inner.nearest.iter().enumerate() {
                        if near != NONE && outside[v] {
                            better(v, near);
                        }
                    }
                }
                None => {
                    for v in super::bits::ones(self.graph.row(part)) {
                        if outside[v] {
                            better(v, part);
                        }
                    }
                }
            }
        }
        nearest
    }

    /// Opens an odd blossom without charge; the way through it stays in the tree.
    fn expand(&mut self, part: usize) {
        let index = part - self.mate.len();
        let (from, to) = self.entry[part];
        let Some(at) = self.blossom(part).and_then(|blossom| {
            blossom
                .parts
                .iter()
                .position(|&inner| inner == to || self.holds(inner, to))
        }) else {
            return;
        };
        let Some(blossom) = self.blossoms[index].take() else {
            return;
        };
        self.unused.push(index);
        let count = blossom.parts.len();
        for &inner in &blossom.parts {
            self.make_top(inner);
            self.label[inner] = Label::Free;
            self.closest[inner] = NONE;
        }
        // From the part where the tree comes in, by its matched edge, to the base.
        let mut here = at;
        let mut entry = (from, to);
        loop {
            let inner = blossom.parts[here];
            self.label[inner] = Label::Odd;
            self.entry[inner] = entry;
            if here == 0 {
                break;
            }
            let (middle, end) = if at % 2 == 0 {
                (here - 1, here - 2)
            } else {
                (here + 1, (here + 2) % count)
            };
            entry = if at % 2 == 0 {
                let (x, y) = blossom.links[end];
                (y, x)
            } else {
                blossom.links[middle]
            };
            self.make_even(blossom.parts[middle]);
            here = end;
        }
        for &inner in &blossom.parts {
            if self.label[inner] != Label::Odd {
                self.find_closest(inner);
            }
        }
    }
}
