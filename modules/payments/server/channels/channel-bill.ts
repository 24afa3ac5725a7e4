import { defined } from '#kit/domain/defined.ts'
import { readYuan, type Fen } from '#kit/domain/money.ts'
import { dayOfMoment, readMoment, type Moment } from '#kit/domain/moment.ts'
import { daysBetween, type Day } from '#kit/domain/day.ts'
import { refuse } from '#kit/contract/wire.ts'
import { defaultLimits, readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { toRows, cellToText, UnfitWorkbook, type WorkbookLimits } from '#kit/server/workbook/worksheet.ts'
import { unpackPart, readZipParts } from '#kit/server/workbook/zip-reader.ts'

/** One line of a channel's bill (CLO-5): money that came for an order, or went back. */
export interface ChannelLine {
  readonly kind: 'pay' | 'refund'
  readonly orderNo: string
  readonly transactionId: string
  readonly refundNo: string
  readonly amount: Fen
  readonly status: string
  readonly at?: Moment | undefined
}

/** The channel has not made the day's bill yet: to be asked again later. */
export class BillNotReadyError extends Error {}

/**
 * A channel's own file is as large as its day; one that a person brings is held to what imports are held to.
 */
export const maxBillBytes = 300 * 1024 * 1024

export const billLimits: Partial<WorkbookLimits> = {
  bytes: maxBillBytes,
  lines: 1_000_000,
  memory: 1024,
  milliseconds: 300_000,
}

/** How the files head what we read, by any of the channels. The first that is there counts. */
const columnHeadings = {
  at: ['交易时间', '完成时间', '创建时间'],
  orderNo: ['商户订单号'],
  transactionId: ['微信订单号', '支付宝交易号', '交易流水号'],
  refundNo: ['商户退款单号', '退款批次号/请求号', '退款单号'],
  status: ['交易状态', '业务类型'],
  amount: ['订单金额', '订单金额（元）', '应结订单金额', '金额'],
  back: ['申请退款金额', '退款金额'],
  refundStatus: ['退款状态'],
} as const

type BillColumn = keyof typeof columnHeadings
// WeChat marks every value against spreadsheets that make numbers of them; Alipay fills with tabs.
const cleanCell = (text: string): string => text.replace(/^[`\s]+|\s+$/g, '')

/** A bill's rows, as WeChat, Alipay or a POS service writes them; refuses a file that is none. */
export function parseChannelBill(rows: readonly (readonly string[])[], day: Day): readonly ChannelLine[] {
  const top = rows.findIndex(r => r.some(c => cleanCell(c) === '商户订单号'))
  if (top < 0) return refuse('缺少「商户订单号」列，请上传从渠道商户平台下载的交易账单')
  const headings = defined(rows[top]).map(cleanCell)
  const indexOf = (column: BillColumn): number =>
    columnHeadings[column].map(heading => headings.indexOf(heading)).find(index => index >= 0) ?? -1
  const columns: Readonly<Record<BillColumn, number>> = {
    at: indexOf('at'),
    orderNo: indexOf('orderNo'),
    transactionId: indexOf('transactionId'),
    refundNo: indexOf('refundNo'),
    status: indexOf('status'),
    amount: indexOf('amount'),
    back: indexOf('back'),
    refundStatus: indexOf('refundStatus'),
  }
  for (const k of ['at', 'transactionId', 'amount'] as const) {
    if (columns[k] < 0) return refuse(`缺少「${columnHeadings[k][0]}」列，请上传从渠道商户平台下载的交易账单`)
  }
  const lines: ChannelLine[] = []
  for (const [i, row] of rows.entries()) {
    if (i <= top) continue
    const cell = (k: BillColumn): string => cleanCell(columns[k] < 0 ? '' : (row[columns[k]] ?? ''))
    const orderNo = cell('orderNo')
    const time = cell('at').replaceAll('/', '-')
    // Below the lines is the bill's own total; a comment begins with #.
    if (!/^\d{4}-\d{1,2}-\d{1,2}/.test(time) || row[0]?.startsWith('#') || !orderNo) continue
    const status = cell('status')
    const isRefund = /^(REFUND|退款|REVOKED)$/.test(status)
    const sum = readYuan(
      (isRefund && columns.back >= 0 ? cell('back') : cell('amount')).replaceAll(',', '').replace(/^-/, ''),
    )
    if (sum === undefined)
      return refuse(
        `第 ${i + 1} 行的金额「${cell(isRefund && columns.back >= 0 ? 'back' : 'amount')}」不是数字，请上传未改动过的账单`,
      )
    const moment = readMoment(time)
    const failed = isRefund && /^(FAIL|CLOSED|失败)$/i.test(cell('refundStatus'))
    if (!failed && sum > 0) {
      lines.push({
        kind: isRefund ? 'refund' : 'pay',
        orderNo,
        transactionId: cell('transactionId'),
        refundNo: isRefund ? cell('refundNo') : '',
        amount: sum,
        status,
        at: moment,
      })
    }
  }
  // A channel may date a payment at midnight, or a refund, by another moment than its bill; a file of another
  // day has none of this one.
  const days = lines.flatMap(l => (l.kind === 'pay' && l.at ? [dayOfMoment(l.at)] : []))
  const foreign =
    days.find(d => Math.abs(daysBetween(day, d)) > 1) ??
    (days.length && !days.includes(day) ? days[0] : undefined)
  return foreign ? refuse(`文件中是 ${foreign} 的交易，与所选账单日 ${day} 不符，请选择对应的日期`) : lines
}

/**
 * The rows of a bill's file: csv in UTF-8 or GBK, a workbook, or a zip whose largest csv is the bill. A
 * damaged zip is refused by its own sums.
 */
export async function readChannelBillRows(
  file: Uint8Array,
  limits: Partial<WorkbookLimits> = {},
): Promise<readonly (readonly string[])[]> {
  const sheet = await readWorkbook(
    await unzipBill(Buffer.from(file.buffer, file.byteOffset, file.length), { ...defaultLimits, ...limits }),
    { limits },
  )
  return toRows(sheet).map(r => r.map(cellToText))
}

async function unzipBill(bytes: Buffer, limits: WorkbookLimits): Promise<Buffer> {
  if (bytes.subarray(0, 4).toString('latin1') !== 'PK\x03\x04') return bytes
  try {
    const [largest] = [...readZipParts(bytes, limits).values()]
      .filter(p => p.name.toLowerCase().endsWith('.csv'))
      .toSorted((a, b) => b.unpacked - a.unpacked)
    const chunks: Buffer[] = []
    if (!largest) return bytes
    for await (const c of unpackPart(bytes, largest)) {
      chunks.push(c)
    }
    return Buffer.concat(chunks)
  } catch (e) {
    return e instanceof UnfitWorkbook ? refuse(e.message) : refuse('压缩包已损坏，请重新下载账单')
  }
}
