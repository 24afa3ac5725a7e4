import { defined } from '#kit/domain/defined.ts'
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** How the platform behaves towards the next invoices; the failures of real ones. */
export const behaviours = {
  normal: '正常',
  slow: '延迟（稍后开具成功）',
  fail: '开票失败',
  twice: '回调两次',
  never: '不回调（仅可查询）',
  die: '已受理，但不应答也不回调',
  mute: '始终无结果',
} as const

export type Behaviour = keyof typeof behaviours

/** An invoice by its serial number, with the order it came from. */
export interface SimulatedInvoice {
  readonly serialNo: string
  readonly order: Order
  /** The order as text, to recognize a repetition. */
  readonly orderText: string
  readonly behaviour: Behaviour
  readonly notifyUrl: string
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

/** In the file, which outlives versions of the program. */
interface StoredInvoice extends Omit<SimulatedInvoice, 'orderText' | 'behaviour'> {
  readonly asked: string
  readonly mood: Behaviour
}

interface StoredState {
  readonly mood: Behaviour
  readonly last: number
  readonly bills: readonly StoredInvoice[]
}

const toStored = ({ orderText, behaviour, ...invoice }: SimulatedInvoice): StoredInvoice => ({
  ...invoice,
  asked: orderText,
  mood: behaviour,
})

const fromStored = ({ asked, mood, ...invoice }: StoredInvoice): SimulatedInvoice => ({
  ...invoice,
  orderText: asked,
  behaviour: mood,
})

/** A file that this simulator has written; undefined where there is none. */
const readJson = <T>(file: string): T | undefined => {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by this simulator alone
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return undefined
  }
}

const maxStored = 500

/** What the platform knows, kept in the data folder. */
export function openInvoiceStore(directory: string) {
  const file = join(directory, 'invoices.json')
  const stored = readJson<StoredState>(file) ?? { mood: 'normal', last: 0, bills: [] }
  const state = { behaviour: stored.mood, last: stored.last }
  const invoices = new Map(stored.bills.map(invoice => [invoice.serialNo, fromStored(invoice)]))
  const save = (): void => {
    const latest = [...invoices.values()].slice(-maxStored).map(toStored)
    const content: StoredState = { mood: state.behaviour, last: state.last, bills: latest }
    writeFileSync(`${file}.new`, JSON.stringify(content), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  return { state, invoices, save, nextNo: (): string => `26${String(++state.last).padStart(18, '0')}` }
}

export type InvoiceStore = ReturnType<typeof openInvoiceStore>

export interface SimulatorKeys {
  readonly appKey: string
  readonly secret: string
}

/**
 * The keys of this data folder, made at the first start; two processes that start at once agree on one set.
 */
export function loadKeys(directory: string): SimulatorKeys {
  const file = join(directory, 'keys.json')
  const known = readJson<SimulatorKeys>(file)
  if (known) return known
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const ownFile = `${file}.${process.pid}`
  const keys: SimulatorKeys = {
    appKey: `SIM${randomBytes(6).toString('hex').toUpperCase()}`,
    secret: randomBytes(32).toString('base64url'),
  }
  writeFileSync(ownFile, JSON.stringify(keys), { mode: 0o600 })
  try {
    linkSync(ownFile, file)
  } catch {
    /* another process was first */
  }
  rmSync(ownFile, { force: true })
  return defined(readJson<SimulatorKeys>(file))
}
