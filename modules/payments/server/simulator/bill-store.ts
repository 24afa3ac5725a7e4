import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { isDay, type Day } from '#kit/domain/day.ts'
import { readYuan } from '#kit/domain/money.ts'
import { writeAlipayBill, writePosBill, writeWechatBill } from './bill-files.ts'
import { billFaults, billLinesOf, type BillFault, type BillLine, type InjectedFault } from './bill-lines.ts'
import { renderBillPage } from './bill-page.ts'
import type { OrderStore, Order } from './order-store.ts'

type Channel = Order['channel']

interface BillFile {
  readonly bytes: Buffer
  readonly channel: Channel
}

function readFaults(file: string): InjectedFault[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return []
  }
}

const isFault = (text: string): text is BillFault => Object.hasOwn(billFaults, text)

export const channelOf = (text: string | null): Channel =>
  text === 'alipay' || text === 'pos' ? text : 'wechat'

/** The faults after a form of the bill's page: one more, or none for that day (`right`). */
function applyForm(faults: readonly InjectedFault[], form: URLSearchParams): readonly InjectedFault[] {
  const channel = channelOf(form.get('channel'))
  const day = form.get('day') ?? ''
  const slip = form.get('slip') ?? ''
  if (slip === 'right') return faults.filter(fault => fault.channel !== channel || fault.day !== day)
  if (!isFault(slip) || !isDay(day)) return faults
  const no = form.get('no') ?? ''
  const refundNo = form.get('refundNo') ?? ''
  const amount = readYuan(form.get('amount') ?? '') ?? 0
  return [...faults, { channel, day, slip, no, refundNo, amount }]
}

/** The bills of what the gateway did, day by day, in the files the channels give. */
export function openBillStore(dir: string, orderStore: OrderStore) {
  const file = join(dir, 'bills.json')
  let faults: readonly InjectedFault[] = readFaults(file)
  const tokens = new Map<string, { readonly channel: Channel; readonly day: Day }>()
  const faultsOf = (channel: Channel, day: Day): InjectedFault[] =>
    faults.filter(fault => fault.channel === channel && fault.day === day)
  const hasFault = (channel: Channel, day: Day, slip: BillFault): boolean =>
    faultsOf(channel, day).some(fault => fault.slip === slip)
  const lines = (channel: Channel, day: Day): BillLine[] => {
    const orders = [...orderStore.orders.values()].filter(order => order.channel === channel)
    return billLinesOf(orders, day, faultsOf(channel, day))
  }
  const wechatFile = (day: Day): Buffer => writeWechatBill(lines('wechat', day))
  const alipayFile = (day: Day): Promise<Buffer> => writeAlipayBill(day, lines('alipay', day))
  return {
    lines,
    posFile: (day: Day): string => writePosBill(lines('pos', day)),
    isLate: (channel: Channel, day: Day): boolean => hasFault(channel, day, 'later'),
    createToken: (channel: Channel, day: Day): string => {
      const token = randomBytes(12).toString('base64url')
      tokens.set(token, { channel, day })
      return token
    },
    /** The file that a token stands for, once. */
    redeemToken: async (token: string): Promise<BillFile | undefined> => {
      const bill = tokens.get(token)
      tokens.delete(token)
      if (!bill) return undefined
      const { channel, day } = bill
      return { channel, bytes: channel === 'wechat' ? gzipSync(wechatFile(day)) : await alipayFile(day) }
    },
    hashOf: (day: Day): string =>
      hasFault('wechat', day, 'forge')
        ? '0'.repeat(40)
        : createHash('sha1').update(wechatFile(day)).digest('hex'),
    renderPage: (channel: Channel, day: Day): string =>
      renderBillPage(channel, day, lines(channel, day), faultsOf(channel, day)),
    submitForm: (form: URLSearchParams): void => {
      faults = applyForm(faults, form)
      writeFileSync(`${file}.new`, JSON.stringify(faults), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
  }
}

export type BillStore = ReturnType<typeof openBillStore>
