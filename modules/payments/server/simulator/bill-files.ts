import { fromInstant } from '#kit/domain/moment.ts'
import type { Day } from '#kit/domain/day.ts'
import { formatYuan, sumFen } from '#kit/domain/money.ts'
import { writeZip } from '#kit/server/workbook/zip-writer.ts'
import type { BillLine } from './bill-lines.ts'
import { encodeGbk } from './gbk.ts'

const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map(row => row.join(',')).join('\r\n') + '\r\n'

const sumOf = (lines: readonly BillLine[], kind: BillLine['kind']): string =>
  formatYuan(sumFen(lines.filter(line => line.kind === kind).map(line => line.amount)))

const wechatHeadings = [
  '交易时间',
  '公众账号ID',
  '商户号',
  '特约商户号',
  '设备号',
  '微信订单号',
  '商户订单号',
  '用户标识',
  '交易类型',
  '交易状态',
  '付款银行',
  '货币种类',
  '应结订单金额',
  '代金券金额',
  '微信退款单号',
  '商户退款单号',
  '退款金额',
  '充值券退款金额',
  '退款类型',
  '退款状态',
  '商品名称',
  '商户数据包',
  '手续费',
  '费率',
  '订单金额',
  '申请退款金额',
  '费率备注',
]

const wechatTotalHeadings = [
  '总交易单数',
  '应结订单总金额',
  '退款总金额',
  '充值券退款总金额',
  '手续费总金额',
  '订单总金额',
  '申请退款总金额',
]

/** WeChat marks every value with a backquote. */
const wechatRow = (cells: readonly string[]): string[] => cells.map(cell => `\`${cell.replaceAll(',', '，')}`)

const wechatPaymentCells = (line: BillLine): string[] => [
  fromInstant(line.at),
  '',
  '',
  '0',
  '',
  line.id,
  line.no,
  '',
  'NATIVE',
  'SUCCESS',
  'OTHERS',
  'CNY',
  formatYuan(line.amount),
  '0.00',
  '0',
  '0',
  '0.00',
  '0.00',
  '',
  '',
  line.title,
  '',
  '0.00000',
  '0.60%',
  formatYuan(line.amount),
  '0.00',
  '',
]

const wechatRefundCells = (line: BillLine): string[] => [
  fromInstant(line.at),
  '',
  '',
  '0',
  '',
  line.id,
  line.no,
  '',
  'NATIVE',
  'REFUND',
  'OTHERS',
  'CNY',
  '0.00',
  '0.00',
  `50${line.refundNo}`,
  line.refundNo,
  formatYuan(line.amount),
  '0.00',
  'ORIGINAL',
  'SUCCESS',
  line.title,
  '',
  '0.00000',
  '0.60%',
  '0.00',
  formatYuan(line.amount),
  '',
]

/** A day's bill as WeChat Pay gives it. */
export const writeWechatBill = (lines: readonly BillLine[]): Buffer =>
  Buffer.from(
    `\ufeff${toCsv([
      wechatHeadings,
      ...lines.map(line =>
        wechatRow(line.kind === 'pay' ? wechatPaymentCells(line) : wechatRefundCells(line)),
      ),
      wechatTotalHeadings,
      wechatRow([
        String(lines.length),
        sumOf(lines, 'pay'),
        sumOf(lines, 'refund'),
        '0.00',
        '0.00000',
        sumOf(lines, 'pay'),
        sumOf(lines, 'refund'),
      ]),
    ])}`,
  )

const alipayHeadings = [
  '支付宝交易号',
  '商户订单号',
  '业务类型',
  '商品名称',
  '创建时间',
  '完成时间',
  '门店编号',
  '门店名称',
  '操作员',
  '终端号',
  '对方账户',
  '订单金额（元）',
  '商家实收（元）',
  '退款批次号/请求号',
  '服务费（元）',
  '备注',
]

/** Alipay fills every value with a tab. */
function alipayRow(line: BillLine): string[] {
  const amount = `${line.kind === 'pay' ? '' : '-'}${formatYuan(line.amount)}`
  return [
    line.id,
    line.no,
    line.kind === 'pay' ? '交易' : '退款',
    line.title,
    fromInstant(line.at),
    fromInstant(line.at),
    '',
    '',
    '',
    '',
    '***',
    amount,
    amount,
    line.refundNo,
    '0.00',
    '',
  ].map(cell => `${cell.replaceAll(',', '，')}\t`)
}

const countOf = (lines: readonly BillLine[], kind: BillLine['kind']): number =>
  lines.filter(line => line.kind === kind).length

/** A day's bill as Alipay gives it: csv in GBK, zipped. */
export async function writeAlipayBill(day: Day, lines: readonly BillLine[]): Promise<Buffer> {
  const text = toCsv([
    ['#支付宝业务明细查询'],
    [`#账号：[模拟渠道]`],
    [`#起始日期：[${day} 00:00:00]   终止日期：[${day} 23:59:59]`],
    ['#-----------------------------------------业务明细列表----------------------------------------'],
    alipayHeadings,
    ...lines.map(alipayRow),
    [`#交易合计：${countOf(lines, 'pay')}笔，退款合计：${countOf(lines, 'refund')}笔`],
  ])
  const chunks: Buffer[] = []
  const file = { name: `${day.replaceAll('-', '')}_trade.csv`, chunks: [encodeGbk(text)] }
  for await (const chunk of writeZip([file])) {
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A day's bill as the acquirer of card terminals gives it. */
export const writePosBill = (lines: readonly BillLine[]): string =>
  toCsv([
    ['交易时间', '交易流水号', '商户订单号', '交易状态', '金额', '退款单号', '退款金额'],
    ...lines.map(line => [
      fromInstant(line.at),
      line.id,
      line.no,
      line.kind === 'pay' ? 'SUCCESS' : 'REFUND',
      formatYuan(line.kind === 'pay' ? line.amount : line.total),
      line.refundNo,
      line.kind === 'pay' ? '' : formatYuan(line.amount),
    ]),
  ])
