import { StartupError } from '#kit/server/postgres/startup-error.ts'

/** Where a table's rows are when companies are spread over several nodes (docs/scale.md). */
export type Placement = 'distributed' | 'reference' | 'local'

export interface TableShape {
  readonly name: string
  readonly hasOwner: boolean
}

/** Whole on every node: the catalogue that belongs to no company. Parents before their children. */
export const referenceTables: readonly string[] = ['product_category', 'product_type', 'product']

/**
 * On the coordinator alone: looked up before a company is known, or about the installation. The directory has
 * an `owner_id` because it says where a company's things are found.
 */
export const localTables: readonly string[] = [
  'captcha',
  'directory',
  'identity_request',
  'installation',
  'login_attempt',
  'message_early_report',
  'message_pace',
  'qr_login',
  'rate_count',
  'schema_migration',
  'sms_code',
]

/** The table that all others are placed beside: a company's rows of every table are on one node. */
export const anchorTable = 'estate'

/** Undefined: not declared where such a table belongs. */
export function placementOf({ name, hasOwner }: TableShape): Placement | undefined {
  if (localTables.includes(name)) return 'local'
  if (referenceTables.includes(name)) return 'reference'
  return hasOwner ? 'distributed' : undefined
}

export interface NodeAddress {
  readonly host: string
  readonly port: number
}

export const formatNode = ({ host, port }: NodeAddress): string => `${host}:${port}`

/** `10.0.0.5:5432`; the port may be left out. */
export function parseNode(text: string): NodeAddress {
  const [, host, port = '5432'] = /^([\w.-]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  if (!host || Number(port) < 1 || Number(port) > 65_535)
    throw new StartupError(`节点 ${text} 写法不对，应为 主机:端口，例如 10.0.0.5:5432。`)
  return { host, port: Number(port) }
}

export function parseCompany(text: string): number {
  const company = Number(text)
  if (!Number.isSafeInteger(company) || company < 1)
    throw new StartupError(`公司编号 ${text} 不对，应为正整数（公司列表中的编号）。`)
  return company
}

/** A table's rows of one company, and the sum of each of its numeric columns as text. */
export interface Tally {
  readonly table: string
  readonly ownerId: string
  readonly rows: string
  readonly sums: Readonly<Record<string, string>>
}

const tallyKey = (tally: Tally): string => `${tally.table} ${tally.ownerId}`

/** What differs between two counts of the same tables, a sentence each. */
export function compareTallies(before: readonly Tally[], after: readonly Tally[]): string[] {
  const afterByKey = new Map(after.map(tally => [tallyKey(tally), tally]))
  const beforeKeys = new Set(before.map(tallyKey))
  const differences = before.flatMap(old => {
    const label = `表 ${old.table} 公司 ${old.ownerId}`
    const now = afterByKey.get(tallyKey(old))
    if (!now) return [`${label}：原有 ${old.rows} 行，现在没有`]
    return [
      ...(now.rows === old.rows ? [] : [`${label}：原有 ${old.rows} 行，现在 ${now.rows} 行`]),
      ...Object.keys({ ...old.sums, ...now.sums })
        .filter(column => old.sums[column] !== now.sums[column])
        .map(
          column =>
            `${label}：${column} 合计原为 ${old.sums[column] ?? '无'}，现在 ${now.sums[column] ?? '无'}`,
        ),
    ]
  })
  const added = after
    .filter(tally => !beforeKeys.has(tallyKey(tally)))
    .map(tally => `表 ${tally.table} 公司 ${tally.ownerId}：原来没有，现在 ${tally.rows} 行`)
  return [...differences, ...added]
}

/** Whether `13.2.2` is at least `12.1`. */
export function isAtLeastVersion(version: string, minimum: string): boolean {
  const numbers = (text: string): number[] => text.split('.').map(part => Number.parseInt(part, 10) || 0)
  const [own, other] = [numbers(version), numbers(minimum)]
  for (let i = 0; i < other.length; i++) {
    const difference = (own[i] ?? 0) - (other[i] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return true
}
