import { defined } from '#kit/domain/defined.ts'
import { type Call, pathOf, methodOf } from '#kit/contract/call.ts'
import {
  Refused,
  notFound,
  resultCode,
  decodeRequest,
  encodeRefusal,
  encodeResponse,
  staleVersion,
  invalidInput,
} from '#kit/contract/wire.ts'
import {
  addBill,
  billExport,
  billImport,
  buildings,
  dropBills,
  editBill,
  listBills,
  oneBill,
  type Bill,
} from './bill.ts'
import { createBills } from './sample-bills.ts'

// A fake server for the gallery: it speaks the real wire format and keeps its rows in memory.
let rows = createBills()

type Q = Readonly<Record<string, any>>
const total = (bills: readonly Bill[], k: keyof Bill): number =>
  bills.reduce((n, r) => n + Number(r[k] ?? 0), 0)

const handlers: readonly (readonly [Call, (q: any) => unknown])[] = [
  [
    listBills,
    (query: Q) => {
      if (query.keyword === '错误')
        throw new Refused(resultCode.internalError, '系统错误（编号 7F3A21），请稍后重试或把编号发给客服')
      const found = rows.filter(
        row =>
          (!query.keyword || `${row.roomNo}${row.payer}${row.mobile}`.includes(query.keyword)) &&
          (!query.state || query.state.includes(row.state)) &&
          (!query.item || query.item.includes(row.item)) &&
          (!query.buildCode || query.buildCode.includes(row.buildCode)) &&
          (!query.payer || row.payer.includes(query.payer)) &&
          (query.amountFrom === undefined || row.amount >= query.amountFrom) &&
          (query.amountTo === undefined || row.amount <= query.amountTo) &&
          (!query.daysFrom || defined(row.days) >= query.daysFrom),
      )
      const sortKey = (query.order as string | undefined)?.replace(/^-/, '') as keyof Bill | undefined
      const sorted = sortKey
        ? [...found].toSorted(
            (a, b) =>
              ((a[sortKey] ?? '') < (b[sortKey] ?? '') ? -1 : 1) * (query.order.startsWith('-') ? -1 : 1),
          )
        : found
      return {
        total: found.length,
        rows: sorted.slice((query.page - 1) * query.size, query.page * query.size),
        sum: {
          amount: total(found, 'amount'),
          reduced: total(found, 'reduced'),
          paid: total(found, 'paid'),
          late: total(found, 'late'),
          rest: total(found, 'rest'),
        },
      }
    },
  ],
  [
    oneBill,
    (q: Q) =>
      rows.find(r => r.id === q.id) ??
      (() => {
        throw notFound()
      })(),
  ],
  [
    addBill,
    (query: Q) => {
      if (query.roomNo === '000')
        throw invalidInput([
          { Field: 'RoomNo', Message: '房间不存在，请核对房号' },
          { Field: 'Parts[0].Price', Message: '单价高于标准' },
        ])
      const row = {
        ...query,
        id: 90000 + rows.length,
        version: 1,
        createTime: '',
        updateTime: '',
        state: 'open',
      } as unknown as Bill
      rows = [row, ...rows]
      return row
    },
  ],
  [
    editBill,
    (query: Q) => {
      const row = rows.find(x => x.id === query.id)
      if (!row) throw notFound()
      if (query.payer === '冲突' && query.version === row.version) {
        rows = rows.map(x =>
          x.id === query.id
            ? { ...x, payer: '周敏', remark: '他人已修改', version: (x.version ?? 0) + 1 }
            : x,
        )
        throw staleVersion()
      }
      if (query.version !== row.version) throw staleVersion()
      const n = { ...row, ...query, version: (row.version ?? 0) + 1 } as Bill
      rows = rows.map(x => (x.id === query.id ? n : x))
      return n
    },
  ],
  [
    dropBills,
    (q: Q) => {
      rows = rows.filter(r => !q.ids.includes(String(r.id)))
      return undefined
    },
  ],
  [buildings, () => Array.from({ length: 6 }, (_, i) => ({ code: `B${i + 1}`, name: `${i + 1}栋` }))],
  [
    billImport.post,
    (query: Q) =>
      query.importId
        ? { taskId: 7 }
        : {
            importId: 'abc',
            fileName: '账单.xlsx',
            rows: 5000,
            good: 4960,
            errorCount: 28,
            warningCount: 1,
            repeatedCount: 6,
            existingCount: 12,
            already: '2026-11-02 10:12:00',
            headings: [
              { heading: '房间号', label: '房号', used: true },
              { heading: '应收', label: '应收', used: true },
              { heading: '车位', used: false },
            ],
            errors: Array.from({ length: 28 }, (_, i) => ({
              line: 12 + i * 7,
              column: ['应收', '应缴日', '收费项目', '楼栋'][i % 4],
              value: ['一千', '2026-02-30', '物管费', '9栋'][i % 4],
              message: defined(
                [
                  '应收应为数字，最多两位小数',
                  '应缴日应为 2026-02-28 这样的日期',
                  '收费项目应为 物业费、垃圾清运费、公摊电费、车位管理费 之一',
                  '楼栋「9栋」不存在',
                ][i % 4],
              ),
              remedy: [
                '填金额，最多两位小数，不带单位',
                '填 2026-02-28 这样的日期',
                '填 物业费、垃圾清运费 之一',
                '填已有的名称，或先新增该楼栋',
              ][i % 4],
            })),
            warnings: [
              {
                line: 1,
                column: '车位',
                value: '',
                message: '无法识别列「车位」，已忽略',
                remedy: '如需导入，请改为模板中的列名',
              },
            ],
            repeated: [
              {
                line: 88,
                column: '房号、账期',
                value: '2-1-0501、2026-07',
                message: '与第 12 行重复',
                remedy: '保留一行，删除其余行',
              },
            ],
            existing: [
              {
                line: 91,
                column: '房号、账期',
                value: '2-1-0502、2026-07',
                message: '系统中已有',
                remedy: '选择跳过或覆盖',
              },
            ],
          },
  ],
  [billExport.start, () => 8],
]

const pause = (ms: number): Promise<void> => new Promise(r => setTimeout(r, ms))
export const delay = { ms: 60 }

const parseForm = (form: URLSearchParams): Record<string, unknown> => {
  const result: Record<string, unknown> = {}
  for (const [formKey, value] of form) {
    const path = formKey.replace(/\]/g, '').split('[')
    let target: any = result
    path.forEach((segment, i) => {
      const last = i === path.length - 1
      if (last) {
        if (segment === '') {
          target.push(value)
        } else {
          target[segment] = value
        }
      } else {
        target[segment] ??= path[i + 1] === '' ? [] : {}
        target = target[segment]
      }
    })
  }
  const listsFromIndexes = (value: any): any =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.keys(value).length && Object.keys(value).every(k => /^\d+$/.test(k))
        ? Object.values(value).map(listsFromIndexes)
        : Object.fromEntries(Object.entries(value).map(([k, x]) => [k, listsFromIndexes(x)]))
      : value
  return listsFromIndexes(result)
}

const answer = (raw: Record<string, unknown>, method: string, path: string): string => {
  const handler = handlers.find(
    ([c]) => methodOf(c) === method && pathOf(c).toLowerCase() === path.toLowerCase(),
  )
  if (!handler) return JSON.stringify({ Code: 10004, Message: `没有 ${method} ${path}`, Data: null })
  try {
    return JSON.stringify(encodeResponse(handler[0], handler[1](decodeRequest(handler[0], raw).input)))
  } catch (e) {
    if (e instanceof Refused) return JSON.stringify(encodeRefusal(e))
    throw e
  }
}

export function installFakeServer(): void {
  const real = window.fetch
  window.fetch = async (target, init) => {
    const url = new URL(String(target), location.origin)
    if (!url.pathname.startsWith('/api/')) return real(target, init)
    await pause(delay.ms)
    const body = typeof init?.body === 'string' ? init.body : ''
    return new Response(
      answer(
        init?.method === 'PUT'
          ? (JSON.parse(body) as Record<string, unknown>)
          : parseForm(new URLSearchParams(body || url.search)),
        init?.method ?? 'GET',
        url.pathname.slice(5),
      ),
      { headers: { 'content-type': 'application/json' } },
    )
  }
  // Uploads go by XMLHttpRequest.
  const open = XMLHttpRequest.prototype.open
  XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, method: string, target: string | URL) {
    ;(this as any).requestLine = [method, new URL(String(target), location.origin).pathname.slice(5)]
    open.call(this, method, target, true)
  }
  XMLHttpRequest.prototype.send = function (this: XMLHttpRequest) {
    const [method, path] = (this as any).requestLine as [string, string]
    void (async () => {
      for (const part of [0.3, 0.7, 1]) {
        await pause(60)
        this.upload.onprogress?.call(
          this,
          new ProgressEvent('progress', { lengthComputable: true, loaded: part, total: 1 }),
        )
      }
      Object.defineProperty(this, 'status', { value: 200 })
      Object.defineProperty(this, 'responseText', { value: answer({}, method, path) })
      this.onload?.(new ProgressEvent('load'))
    })()
  }
}
