import { defined } from '#kit/domain/defined.ts'
/**
 * The rules of docs/scale.md that one statement can break, checked on PostgreSQL's own parse tree
 * (libpg-query). Rules 1, 3 and the triggers and policies of 7 are the schema's (tools/schema.test.ts).
 */
export interface Tables {
  /** have `owner_id` and are spread by it */
  readonly company: ReadonlySet<string>
  /** stay on one node: neither a company's nor the catalogue */
  readonly local: ReadonlySet<string>
}

export interface Offence {
  readonly rule: 2 | 4 | 5 | 6 | 7 | 8 | 9
  /** the table, function or clause that breaks it */
  readonly subject: string
}

type Node = { readonly [key: string]: unknown }

/** Not IMMUTABLE, so refused in writes: the caller passes the value. */
const unstableFunctions = new Set([
  'now',
  'clock_timestamp',
  'statement_timestamp',
  'transaction_timestamp',
  'timeofday',
  'gen_random_uuid',
  'uuidv7',
  'random',
])

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

const textIn = (node: Node, key: string): string => String(node[key] ?? '')

const childrenOf = (node: unknown): unknown[] =>
  Array.isArray(node) ? node : isNode(node) ? Object.values(node) : []

/** The nodes of each kind under a node, in the order of the tree. */
type NodesByKind = ReadonlyMap<string, readonly Node[]>

const indexed = new WeakMap<Node, NodesByKind>()

/** Read in one walk, however many kinds are asked for: a dozen of each statement. */
function indexOf(node: Node): NodesByKind {
  const known = indexed.get(node)
  if (known) return known
  const byKind = new Map<string, Node[]>()
  const visit = (value: Node): void => {
    for (const [key, child] of Object.entries(value)) {
      if (!isNode(child)) continue
      const found = byKind.get(key)
      if (found) {
        found.push(child)
      } else {
        byKind.set(key, [child])
      }
      visit(child)
    }
  }
  visit(node)
  indexed.set(node, byKind)
  return byKind
}

/** All nodes of a kind under `node`. */
const findAll = (node: unknown, kind: string): readonly Node[] =>
  isNode(node) ? (indexOf(node).get(kind) ?? []) : []

/** As `findAll`, but not below a node of the kind `stop`. */
function findAllAbove(node: unknown, kind: string, stop: string): Node[] {
  if (!isNode(node)) return []
  return Object.entries(node).flatMap(([key, child]) => {
    if (!isNode(child)) return []
    const below = key === stop ? [] : findAllAbove(child, kind, stop)
    return key === kind ? [child, ...below] : below
  })
}

const stringsOf = (list: unknown): string[] =>
  childrenOf(list).flatMap(item => (isNode(item) && isNode(item.String) ? [textIn(item.String, 'sval')] : []))

/** A parameter or a constant, cast or not. */
function isValue(node: unknown): boolean {
  if (!isNode(node)) return false
  if (isNode(node.TypeCast)) return isValue(node.TypeCast.arg)
  return 'ParamRef' in node || 'A_Const' in node
}

/** `alias.owner_id = value`: the alias, or '' where the column is alone. */
function ownerFilterAlias(condition: Node): string | undefined {
  const expression = condition.A_Expr
  if (!isNode(expression) || expression.kind !== 'AEXPR_OP' || stringsOf(expression.name)[0] !== '=') return
  for (const [column, value] of [
    [expression.lexpr, expression.rexpr],
    [expression.rexpr, expression.lexpr],
  ]) {
    if (!isNode(column) || !isNode(column.ColumnRef) || !isValue(value)) continue
    const path = stringsOf(column.ColumnRef.fields)
    if (path.at(-1) === 'owner_id') return path.length > 1 ? defined(path.at(-2)) : ''
  }
  return undefined
}

function conjuncts(condition: unknown): Node[] {
  if (!isNode(condition)) return []
  const both = condition.BoolExpr
  return isNode(both) && both.boolop === 'AND_EXPR' ? childrenOf(both.args).flatMap(conjuncts) : [condition]
}

interface Relation {
  readonly table: string
  readonly alias: string
}

const relationOf = (range: Node): Relation => ({
  table: textIn(range, 'relname'),
  alias: isNode(range.alias) ? textIn(range.alias, 'aliasname') : textIn(range, 'relname'),
})

/** The tables and join conditions of one FROM list, not of its sub-selects. */
function readFrom(items: unknown): { relations: Relation[]; conditions: Node[] } {
  const relations: Relation[] = []
  const conditions: Node[] = []
  const visit = (item: unknown): void => {
    if (!isNode(item)) return
    if (isNode(item.RangeVar)) {
      relations.push(relationOf(item.RangeVar))
    } else if (isNode(item.JoinExpr)) {
      visit(item.JoinExpr.larg)
      visit(item.JoinExpr.rarg)
      conditions.push(...conjuncts(item.JoinExpr.quals))
    }
  }
  childrenOf(items).forEach(visit)
  return { relations, conditions }
}

/** Each SELECT, UPDATE and DELETE with its own tables: which of them no value of owner_id narrows. */
function unfilteredTables(tree: unknown, ctes: ReadonlySet<string>, tables: Tables): string[] {
  const levels = [
    ...findAll(tree, 'SelectStmt').map(s => ({
      from: s.fromClause,
      where: s.whereClause,
      target: undefined,
    })),
    ...findAll(tree, 'UpdateStmt').map(s => ({
      from: s.fromClause,
      where: s.whereClause,
      target: s.relation,
    })),
    ...findAll(tree, 'DeleteStmt').map(s => ({
      from: s.usingClause,
      where: s.whereClause,
      target: s.relation,
    })),
    // The branches of a union hang under these two keys without a name of their own.
    ...['larg', 'rarg'].flatMap(side =>
      findAll(tree, side)
        .filter(s => 'fromClause' in s || 'whereClause' in s)
        .map(s => ({ from: s.fromClause, where: s.whereClause, target: undefined })),
    ),
  ]
  return levels.flatMap(({ from, where, target }) => {
    const { relations, conditions } = readFrom(from)
    if (isNode(target)) {
      relations.push(relationOf(target))
    }
    const own = relations.filter(r => tables.company.has(r.table) && !ctes.has(r.table))
    const filtered = new Set([...conditions, ...conjuncts(where)].flatMap(c => ownerFilterAlias(c) ?? []))
    return own
      .filter(r => !filtered.has(r.alias) && !(filtered.has('') && relations.length === 1))
      .map(r => r.table)
  })
}

/** `current_date` and the like: a request's day is that of its time, which the caller passes. */
const clockValues = (tree: unknown): string[] =>
  findAll(tree, 'SQLValueFunction')
    .map(f => String(f.op).replace('SVFOP_', '').toLowerCase())
    .filter(name => /current|local/.test(name) && !/user|role|catalog|schema/.test(name))

function unstableCalls(tree: unknown): string[] {
  const called = findAll(tree, 'FuncCall')
    .map(f => stringsOf(f.funcname).at(-1) ?? '')
    .filter(name => unstableFunctions.has(name))
  const intervals = [
    ...findAll(tree, 'typeName').filter(t => stringsOf(t.names).at(-1) === 'interval'),
    ...findAll(tree, 'FuncCall').filter(f => stringsOf(f.funcname).at(-1) === 'make_interval'),
  ].map(() => 'interval')
  return [...called, ...clockValues(tree), ...intervals]
}

const writeKinds = ['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt']

function insertOffences(tree: unknown, tables: Tables): Offence[] {
  return findAll(tree, 'InsertStmt').flatMap(insert => {
    const table = isNode(insert.relation) ? textIn(insert.relation, 'relname') : ''
    if (!tables.company.has(table)) return []
    const offences: Offence[] = []
    const select = isNode(insert.selectStmt) ? insert.selectStmt.SelectStmt : undefined
    const isSelect = isNode(select) && !('valuesLists' in select)
    if (isSelect && !insert.returningList && !isNode(insert.returningClause)) {
      offences.push({ rule: 5, subject: table })
    }
    const update = isNode(insert.onConflictClause) ? insert.onConflictClause.targetList : undefined
    if (update && (findAll(update, 'SubLink').length || unstableCalls(update).length)) {
      offences.push({ rule: 5, subject: `${table} do update` })
    }
    return offences
  })
}

/** Evaluated again for each row, on the coordinator. */
const volatileFunctions = new Set(['next_code', 'nextval', 'gen_random_uuid', 'random', 'clock_timestamp'])

/** Such a value beside a join makes the engine join on the coordinator, which it refuses. */
const volatileJoinCalls = (tree: unknown, ctes: ReadonlySet<string>, tables: Tables): string[] =>
  findAll(tree, 'SelectStmt').flatMap(({ fromClause, targetList }) => {
    const joined = readFrom(fromClause).relations.filter(
      r => tables.company.has(r.table) && !ctes.has(r.table),
    )
    if (joined.length < 2) return []
    return findAllAbove(targetList, 'FuncCall', 'SelectStmt')
      .map(f => stringsOf(f.funcname).at(-1) ?? '')
      .filter(name => volatileFunctions.has(name))
  })

const isLocked = (tree: unknown): boolean => findAll(tree, 'LockingClause').length > 0

/** What one parsed statement breaks, each rule and subject once. */
export function checkStatement(tree: unknown, tables: Tables, allCompanies: boolean): Offence[] {
  const offences: Offence[] = []
  const ctes = new Set(findAll(tree, 'CommonTableExpr').map(c => textIn(c, 'ctename')))
  const writes = writeKinds.flatMap(kind => findAll(tree, kind))
  const names = new Set(
    [...findAll(tree, 'RangeVar'), ...writes.flatMap(w => (isNode(w.relation) ? [w.relation] : []))]
      .map(r => textIn(r, 'relname'))
      .filter(name => !ctes.has(name)),
  )
  const companyTables = [...names].filter(name => tables.company.has(name))
  for (const table of new Set(unfilteredTables(tree, ctes, tables))) {
    // Over all companies a list may be read; what is written or locked there belongs to one company at a
    // time.
    if (!allCompanies) {
      offences.push({ rule: 2, subject: table })
    } else if (writes.length || isLocked(tree)) {
      offences.push({ rule: 8, subject: table })
    }
  }
  if (
    findAll(tree, 'FuncCall').some(
      f => stringsOf(f.funcname).at(-1) === 'set_config' && JSON.stringify(f).includes('app.owner_id'),
    )
  ) {
    offences.push({ rule: 4, subject: 'set_config' })
  }
  offences.push(...insertOffences(tree, tables))
  const isWrite = writes.some(w => isNode(w.relation) && tables.company.has(textIn(w.relation, 'relname')))
  const unstable = isWrite ? unstableCalls(tree) : companyTables.length ? clockValues(tree) : []
  offences.push(...[...new Set(unstable)].map(subject => ({ rule: 6 as const, subject })))
  offences.push(
    ...[...new Set(volatileJoinCalls(tree, ctes, tables))].map(subject => ({ rule: 9 as const, subject })),
  )
  if (companyTables.length) {
    const local = [...names].filter(name => tables.local.has(name))
    offences.push(...local.map(subject => ({ rule: 7 as const, subject })))
  }
  return offences
}
