import { defined } from '#kit/domain/defined.ts'
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** How the platform shall behave towards what comes next: what platforms do on their bad days. */
export const behaviours = {
  normal: '正常',
  slow: '很慢（过一会儿才开好）',
  fail: '开票失败',
  twice: '回调两次',
  never: '不回调（只能询问）',
  die: '收下了，但不回答也不回调',
  mute: '一直没有结果',
} as const

export type Behaviour = keyof typeof behaviours

/** One number that was asked for, as it was asked. */
export interface SimulatedInvoice {
  readonly serialNo: string
  readonly order: Order
  readonly asked: string
  readonly mood: Behaviour
  readonly notifyUrl: string
  readonly at: number
  status: 'DOING' | 'ISSUED' | 'FAILED'
  invoiceNo?: string
  issueTime?: string
  reason?: string
}

/** `blueLine`: which line of the blue invoice a line of a red one takes back. */
export interface OrderLine {
  readonly blueLine?: number
  readonly name: string
  readonly code: string
  readonly unit: string
  readonly rate: string
  readonly noTax: boolean
  readonly periods: string
  readonly total: string
  readonly net: string
  readonly tax: string
}

export interface Order {
  readonly serialNo: string
  readonly type: string
  readonly notifyUrl: string
  readonly remark: string
  readonly total: string
  readonly net: string
  readonly tax: string
  readonly lines: readonly OrderLine[]
  readonly seller: { readonly companyName: string; readonly taxNo: string; readonly drawer?: string }
  readonly buyer: { readonly title: string; readonly taxNo?: string }
  readonly red?: {
    readonly invoiceNo: string
    readonly reason: string
    readonly scope?: 'WHOLE' | 'PART'
    readonly total?: string
  }
}

interface StoredState {
  readonly mood: Behaviour
  readonly last: number
  readonly bills: readonly SimulatedInvoice[]
}

/** What the platform knows, kept in the data folder. */
export function openInvoiceStore(dir: string) {
  const file = join(dir, 'invoices.json')
  const kept = ((): StoredState => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as StoredState
    } catch {
      return { mood: 'normal', last: 0, bills: [] }
    }
  })()
  const state = { mood: kept.mood, last: kept.last }
  const bills = new Map(kept.bills.map(b => [b.serialNo, b]))
  const save = (): void => {
    writeFileSync(`${file}.new`, JSON.stringify({ ...state, bills: [...bills.values()].slice(-500) }), {
      mode: 0o600,
    })
    renameSync(`${file}.new`, file)
  }
  return { state, bills, save, nextNo: (): string => `26${String(++state.last).padStart(18, '0')}` }
}

export type InvoiceStore = ReturnType<typeof openInvoiceStore>

export interface SimulatorKeys {
  readonly appKey: string
  readonly secret: string
}

const readKeys = (file: string): SimulatorKeys | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SimulatorKeys
  } catch {
    return undefined
  }
}

/**
 * The keys of this data folder, made at the first start; two processes that start at once agree on one set.
 */
export function loadKeys(dir: string): SimulatorKeys {
  const file = join(dir, 'keys.json')
  const known = readKeys(file)
  if (known) return known
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const mine = `${file}.${process.pid}`
  writeFileSync(
    mine,
    JSON.stringify({
      appKey: `SIM${randomBytes(6).toString('hex').toUpperCase()}`,
      secret: randomBytes(32).toString('base64url'),
    }),
    { mode: 0o600 },
  )
  try {
    linkSync(mine, file)
  } catch {
    /* another process was first */
  }
  rmSync(mine, { force: true })
  return defined(readKeys(file))
}
