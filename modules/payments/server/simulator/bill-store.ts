import { defined } from '#kit/domain/defined.ts'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { isDay, type Day } from '#kit/domain/day.ts'
import { formatYuan, readYuan, type Fen } from '#kit/domain/money.ts'
import { dayOfInstant, fromInstant } from '#kit/domain/moment.ts'
import { writeZip } from '#kit/server/workbook/zip-writer.ts'
import type { OrderStore, Order } from './order-store.ts'
import { pageHead, escapeHtml } from './pages.ts'

/**
 * What the gateway shall get wrong in the bill of a day: leave a line out, add one of its own, change a sum,
 * take the bill's hash for another, not have it yet.
 */
export const billFaults = {
  leave: '漏掉这一行',
  add: '多出一行',
  change: '改金额',
  forge: '账单摘要不对',
  later: '账单还没有生成',
} as const

export type BillFault = keyof typeof billFaults

interface InjectedFault {
  readonly channel: Order['channel']
  readonly day: Day
  readonly slip: BillFault
  readonly no: string
  readonly refundNo: string
  readonly amount: Fen
}

interface BillLine {
  readonly kind: 'pay' | 'refund'
  readonly no: string
  readonly id: string
  readonly refundNo: string
  readonly amount: Fen
  readonly total: Fen
  readonly at: number
  readonly title: string
}

/** The bills of what the gateway did, day by day, in the files the channels give. */
export function openBillStore(dir: string, book: OrderStore) {
  const file = join(dir, 'bills.json')
  const wrongs: InjectedFault[] = (() => {
    try {
      return JSON.parse(readFileSync(file, 'utf8')) as InjectedFault[]
    } catch {
      return []
    }
  })()
  const tokens = new Map<string, { readonly channel: Order['channel']; readonly day: Day }>()
  const of = (channel: Order['channel'], day: Day): InjectedFault[] =>
    wrongs.filter(w => w.channel === channel && w.day === day)
  const has = (channel: Order['channel'], day: Day, slip: BillFault): boolean =>
    of(channel, day).some(w => w.slip === slip)
  const lines = (channel: Order['channel'], day: Day): BillLine[] => {
    const mine = [...book.orders.values()].filter(
      o => o.channel === channel && o.paid !== undefined && o.paidAt !== undefined,
    )
    const paid = mine
      .filter(o => dayOfInstant(defined(o.paidAt)) === day)
      .map(o => ({
        kind: 'pay' as const,
        no: o.no,
        id: o.transactionId ?? '',
        refundNo: '',
        amount: defined(o.paid),
        total: defined(o.paid),
        at: defined(o.paidAt),
        title: o.title,
      }))
    const back = mine.flatMap(o =>
      Object.entries(o.refunds)
        .filter(([, r]) => r.status === 'SUCCESS' && dayOfInstant(r.at ?? defined(o.paidAt)) === day)
        .map(([refundNo, r]) => ({
          kind: 'refund' as const,
          no: o.no,
          id: o.transactionId ?? '',
          refundNo,
          amount: r.amount,
          total: defined(o.paid),
          at: r.at ?? defined(o.paidAt),
          title: o.title,
        })),
    )
    const slipped = of(channel, day)
    const is = (l: BillLine, w: InjectedFault): boolean => l.no === w.no && l.refundNo === w.refundNo
    const kept = [...paid, ...back]
      .filter(l => !slipped.some(w => w.slip === 'leave' && is(l, w)))
      .map(l => ({ ...l, amount: slipped.find(w => w.slip === 'change' && is(l, w))?.amount ?? l.amount }))
    const added = slipped
      .filter(w => w.slip === 'add')
      .map((w, i) => ({
        kind: w.refundNo ? ('refund' as const) : ('pay' as const),
        no: w.no,
        id: `42ADDED${createHash('sha1').update(w.no).digest('hex').slice(0, 16)}${i}`,
        refundNo: w.refundNo,
        amount: w.amount,
        total: w.amount,
        at: Date.parse(`${day}T12:00:0${i % 10}+08:00`),
        title: '渠道多出的一笔',
      }))
    return [...kept, ...added].toSorted((a, b) => a.at - b.at)
  }
  const csv = (rows: readonly (readonly string[])[]): string =>
    rows.map(r => r.join(',')).join('\r\n') + '\r\n'
  const wechat = (day: Day): Buffer => {
    const all = lines('wechat', day)
    const marked = (r: readonly string[]): string[] => r.map(c => `\`${c.replaceAll(',', '，')}`)
    return Buffer.from(
      `\ufeff${csv([
        [
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
        ],
        ...all.map(l =>
          marked([
            fromInstant(l.at),
            '',
            '',
            '0',
            '',
            l.id,
            l.no,
            '',
            'NATIVE',
            l.kind === 'pay' ? 'SUCCESS' : 'REFUND',
            'OTHERS',
            'CNY',
            l.kind === 'pay' ? formatYuan(l.amount) : '0.00',
            '0.00',
            l.kind === 'pay' ? '0' : `50${l.refundNo}`,
            l.kind === 'pay' ? '0' : l.refundNo,
            l.kind === 'pay' ? '0.00' : formatYuan(l.amount),
            '0.00',
            l.kind === 'pay' ? '' : 'ORIGINAL',
            l.kind === 'pay' ? '' : 'SUCCESS',
            l.title,
            '',
            '0.00000',
            '0.60%',
            l.kind === 'pay' ? formatYuan(l.amount) : '0.00',
            l.kind === 'pay' ? '0.00' : formatYuan(l.amount),
            '',
          ]),
        ),
        [
          '总交易单数',
          '应结订单总金额',
          '退款总金额',
          '充值券退款总金额',
          '手续费总金额',
          '订单总金额',
          '申请退款总金额',
        ],
        marked([
          String(all.length),
          ...(['pay', 'refund'] as const).map(k =>
            formatYuan(all.filter(l => l.kind === k).reduce((s, l) => s + l.amount, 0)),
          ),
          '0.00',
          '0.00000',
          formatYuan(all.filter(l => l.kind === 'pay').reduce((s, l) => s + l.amount, 0)),
          formatYuan(all.filter(l => l.kind === 'refund').reduce((s, l) => s + l.amount, 0)),
        ]),
      ])}`,
    )
  }
  const alipay = async (day: Day): Promise<Buffer> => {
    const all = lines('alipay', day)
    const filled = (r: readonly string[]): string[] => r.map(c => `${c.replaceAll(',', '，')}\t`)
    const text = csv([
      ['#支付宝业务明细查询'],
      [`#账号：[本机模拟]`],
      [`#起始日期：[${day} 00:00:00]   终止日期：[${day} 23:59:59]`],
      ['#-----------------------------------------业务明细列表----------------------------------------'],
      [
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
      ],
      ...all.map(l =>
        filled([
          l.id,
          l.no,
          l.kind === 'pay' ? '交易' : '退款',
          l.title,
          fromInstant(l.at),
          fromInstant(l.at),
          '',
          '',
          '',
          '',
          '***',
          `${l.kind === 'pay' ? '' : '-'}${formatYuan(l.amount)}`,
          `${l.kind === 'pay' ? '' : '-'}${formatYuan(l.amount)}`,
          l.refundNo,
          '0.00',
          '',
        ]),
      ),
      [
        `#交易合计：${all.filter(l => l.kind === 'pay').length}笔，退款合计：${all.filter(l => l.kind === 'refund').length}笔`,
      ],
    ])
    const parts: Buffer[] = []
    for await (const b of writeZip([
      { name: `${day.replaceAll('-', '')}_trade.csv`, chunks: [encodeGbk(text)] },
    ])) {
      parts.push(b)
    }
    return Buffer.concat(parts)
  }
  const pos = (day: Day): string =>
    csv([
      ['交易时间', '交易流水号', '商户订单号', '交易状态', '金额', '退款单号', '退款金额'],
      ...lines('pos', day).map(l => [
        fromInstant(l.at),
        l.id,
        l.no,
        l.kind === 'pay' ? 'SUCCESS' : 'REFUND',
        formatYuan(l.kind === 'pay' ? l.amount : l.total),
        l.refundNo,
        l.kind === 'pay' ? '' : formatYuan(l.amount),
      ]),
    ])
  return {
    lines,
    wechat,
    alipay,
    pos,
    late: (channel: Order['channel'], day: Day): boolean => has(channel, day, 'later'),
    token: (channel: Order['channel'], day: Day): string => {
      const t = randomBytes(12).toString('base64url')
      tokens.set(t, { channel, day })
      return t
    },
    /** What lies behind a token, once. */
    fetched: async (
      token: string,
    ): Promise<{ readonly bytes: Buffer; readonly channel: Order['channel'] } | undefined> => {
      const t = tokens.get(token)
      tokens.delete(token)
      return (
        t && {
          channel: t.channel,
          bytes: t.channel === 'wechat' ? gzipSync(wechat(t.day)) : await alipay(t.day),
        }
      )
    },
    hashOf: (day: Day): string =>
      has('wechat', day, 'forge') ? '0'.repeat(40) : createHash('sha1').update(wechat(day)).digest('hex'),
    page: (channel: Order['channel'], day: Day): string =>
      renderBillPage(channel, day, lines(channel, day), of(channel, day)),
    take: (form: URLSearchParams): void => {
      const channel = form.get('channel') as Order['channel']
      const day = form.get('day') ?? ''
      const slip = form.get('slip') ?? ''
      if (slip === 'right') {
        for (let i = wrongs.length - 1; i >= 0; i--) {
          if (defined(wrongs[i]).channel === channel && defined(wrongs[i]).day === day) {
            wrongs.splice(i, 1)
          }
        }
      } else if (slip in billFaults && isDay(day)) {
        wrongs.push({
          channel,
          day,
          slip: slip as BillFault,
          no: form.get('no') ?? '',
          refundNo: form.get('refundNo') ?? '',
          amount: readYuan(form.get('amount') ?? '') ?? 0,
        })
      }
      writeFileSync(`${file}.new`, JSON.stringify(wrongs), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
  }
}

export type BillStore = ReturnType<typeof openBillStore>

let gbkTable: Map<string, number> | undefined

/** Alipay still writes GBK; the platform reads it, but writes none. */
function encodeGbk(text: string): Buffer {
  if (!gbkTable) {
    gbkTable = new Map()
    const reader = new TextDecoder('gbk')
    for (let hi = 0x81; hi <= 0xfe; hi++) {
      for (let lo = 0x40; lo <= 0xfe; lo++) {
        if (lo !== 0x7f) {
          const c = reader.decode(Uint8Array.of(hi, lo))
          if (c.length === 1 && c !== '\ufffd' && !gbkTable.has(c)) {
            gbkTable.set(c, hi * 256 + lo)
          }
        }
      }
    }
  }
  return Buffer.from(
    [...text].flatMap(c => {
      if (c < '\x80') return [c.charCodeAt(0)]
      const n = defined(gbkTable).get(c) ?? 0x3f
      return n > 255 ? [n >> 8, n & 255] : [n]
    }),
  )
}

const channelLabels: Readonly<Record<Order['channel'], string>> = {
  wechat: '微信支付',
  alipay: '支付宝',
  pos: 'POS',
}

const renderBillPage = (
  channel: Order['channel'],
  day: Day,
  list: readonly BillLine[],
  slipped: readonly InjectedFault[],
): string => {
  const own = `<input type="hidden" name="channel" value="${channel}"><input type="hidden" name="day" value="${day}">`
  const act = (slip: string, label: string, more = ''): string =>
    `<form method="post" action="/bill">${own}${more}<button class="plain" name="slip" value="${slip}">${label}</button></form>`
  return `${pageHead('渠道账单（本机模拟）')}<main><h1>${channelLabels[channel]} ${day} 的账单（本机模拟）</h1><p class="note">${Object.entries(
    channelLabels,
  )
    .map(([k, v]) => `<a href="/bill?channel=${k}&amp;day=${day}">${v}</a>`)
    .join(' · ')}</p>
    <table>${list.length ? list.map(l => `<tr><td>${escapeHtml(l.no)}<br>${l.kind === 'pay' ? '收款' : `退款 ${escapeHtml(l.refundNo)}`} ${fromInstant(l.at).slice(11)}</td><td align="right">¥${formatYuan(l.amount)}${act('leave', billFaults.leave, `<input type="hidden" name="no" value="${escapeHtml(l.no)}"><input type="hidden" name="refundNo" value="${escapeHtml(l.refundNo)}">`)}${act('change', billFaults.change, `<input type="hidden" name="no" value="${escapeHtml(l.no)}"><input type="hidden" name="refundNo" value="${escapeHtml(l.refundNo)}"><input name="amount" size="8" value="${formatYuan(l.amount)}" aria-label="改为">`)}</td></tr>`).join('') : '<tr><td>这一天没有交易</td></tr>'}</table>
    ${act('add', billFaults.add, '<input name="no" placeholder="订单号" aria-label="订单号"><input name="amount" size="8" placeholder="金额" aria-label="金额"><input name="refundNo" placeholder="退款单号（收款留空）" aria-label="退款单号">')}${act('forge', billFaults.forge)}${act('later', billFaults.later)}${slipped.length ? act('right', `改回原样（${slipped.length} 处）`) : ''}</main></html>`
}
