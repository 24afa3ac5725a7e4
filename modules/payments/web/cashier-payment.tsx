import { Button, Checkbox, Input, Select, Switch } from 'antd'
import {
  BankOutlined,
  CreditCardOutlined,
  EditOutlined,
  EllipsisOutlined,
  PlusOutlined,
  QrcodeOutlined,
  ScanOutlined,
  WalletOutlined,
  AlipayCircleOutlined,
  WechatOutlined,
} from '@ant-design/icons'
import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import type { InputRef } from 'antd'
import dayjs from 'dayjs'
import { keyOf, labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { formatYuan, readYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { useShortcuts } from '#kit/web/shortcuts.ts'
import { useCall, useSend } from '#kit/web/query.ts'
import { RequestFailure } from '#kit/web/send.ts'
import { usePermission } from '#kit/web/session.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { DatePicker } from '#kit/web/date-picker.tsx'
import { toast } from '#kit/web/toast.ts'
import { today } from '#kit/web/date-format.ts'
import { roundOffMode } from '#modules/bills/contract/choices.ts'
import { roundOff } from '#modules/bills/web/public.tsx'
import { payMethod } from '../contract/choices.ts'
import { listAvailableChannels } from '../contract/channel.ts'
import { createOrder, type OrderView } from '../contract/order.ts'
import { payBills, quoteBills } from '../contract/payment.ts'
import { suggestCashAmounts } from '../domain/cash-suggestion.ts'
import { menu } from '../module.ts'
import type { CashierView } from './cashier.tsx'
import type { PayMode } from './pay-dialog.tsx'
import { useReceipts } from './use-receipts.tsx'

const PayDialog = lazyComponent(() => import('./pay-dialog.tsx').then(m => m.PayDialog))
type Method = ChoiceOf<typeof payMethod>
type Bill = CashierView['groups'][number]['bills'][number]

interface MethodOption {
  readonly method: Method
  readonly keys?: string
  readonly icon: ReactNode
  readonly label?: string
}

/** What is taken by hand at the counter, with its key. */
const offlineOptions: readonly MethodOption[] = [
  { method: 'cash', keys: 'F2', icon: <WalletOutlined /> },
  { method: 'transfer', keys: 'F7', icon: <BankOutlined /> },
  { method: 'posOffline', keys: 'F8', icon: <CreditCardOutlined />, label: '线下 POS' },
  { method: 'cheque', icon: <EditOutlined /> },
  { method: 'wechatTransfer', icon: <WechatOutlined /> },
  { method: 'alipayTransfer', icon: <AlipayCircleOutlined /> },
  { method: 'other', icon: <EllipsisOutlined /> },
]

/** What a channel takes, offered where the company has one. */
const channelOptions: readonly {
  readonly door: PayMode
  readonly keys: string
  readonly label: string
  readonly icon: ReactNode
  readonly how: string
}[] = [
  {
    door: 'qr',
    keys: 'F3',
    label: '收款码',
    icon: <QrcodeOutlined />,
    how: '点「发起收款」后显示收款码；付款人扫码付款，到账自动完成。',
  },
  {
    door: 'scan',
    keys: 'F4',
    label: '扫码枪',
    icon: <ScanOutlined />,
    how: '点「发起收款」后，用扫码枪扫付款人手机上的付款码。',
  },
  {
    door: 'pos',
    keys: 'F6',
    label: 'POS 刷卡',
    icon: <CreditCardOutlined />,
    how: '点「发起收款」后把支付单发到 POS 机，付款人在机上刷卡，到账自动完成。',
  },
]

const methodSelectOptions = offlineOptions.map(w => ({
  value: w.method,
  label: labelOf(payMethod, w.method),
}))

interface Props {
  readonly project: string
  readonly desk: CashierView
  readonly bills: readonly Bill[]
  readonly all: readonly Bill[]
  readonly onRefresh: () => void
  readonly onDone: () => void
}

const readYuanOrZero = (text: string): Fen => readYuan(text) ?? 0

/** How much, by what, what remains. The server reckons anew before it takes anything (PAY-1). */
export function CashierPayment({ project, desk, bills, all, onRefresh, onDone }: Props) {
  const may = usePermission()
  const pay = useSend(payBills, { quiet: true })
  const print = useReceipts()
  const box = useRef<InputRef>(null)
  const open = useCall(
    listAvailableChannels,
    {},
    { quiet: true, enabled: may(menu.cashier.permissions.pay) },
  ).data
  const channels = open ?? []
  const make = useSend(createOrder, { quiet: true })
  const offered = channelOptions.filter(w => channels.some(c => (c.channel === 'pos') === (w.door === 'pos')))
  // PAY-9: money that came some days ago is reckoned by its own day; the server says how many days back there
  // are.
  const [day, setDay] = useState<string>()
  const quote = useCall(
    quoteBills,
    { billIds: bills.map(b => String(b.billId)), ...(day ? { payDay: day } : {}) },
    { quiet: true, enabled: day !== undefined && bills.length > 0, staleMs: 0 },
  )
  const reckoning = day !== undefined && bills.length > 0 && !quote.data
  const total = (day ? quote.data?.total : undefined) ?? sumFen(bills.map(b => b.total))
  const lies = sumFen(desk.purses.map(p => p.amount))
  const [by, setBy] = useState<Method>('cash')
  const [door, setDoor] = useState<PayMode>()
  const [order, setOrder] = useState<OrderView>()
  const [usePurse, setUsePurse] = useState(false)
  const [cut, setCut] = useState(false)
  const [keep, setKeep] = useState(false)
  const [typed, setTyped] = useState<string>()
  const [also, setAlso] = useState<readonly { method: Method; text: string }[]>([])
  const [remark, setRemark] = useState('')
  const [wantsPrint, setWantsPrint] = useState(true)
  const [fault, setFault] = useState('')
  const mayBackDate = may(menu.cashier.permissions.backDate)
  const method = by
  const setMethod = (m: Method): void => {
    setBy(m)
    setDoor(undefined)
  }
  // What a channel takes is the bills' whole sum, by itself, today.
  const goOnline = (d: PayMode): void => {
    setDoor(d)
    setDay(undefined)
  }
  const through = offered.find(w => w.door === door)
  const mode = keyOf(roundOffMode, desk.roundOff) ?? 'none'
  const mayCut = mode !== 'none' && may(menu.cashier.permissions.roundOff)
  const { pay: due, off } = roundOff(total, cut && mayCut && !through ? mode : 'none')
  const prestore = usePurse && !through ? Math.min(lies, due) : 0
  const others = through ? 0 : sumFen(also.map(a => readYuanOrZero(a.text)))
  const rest = Math.max(0, due - prestore - others)
  const received = typed === undefined || through ? rest : readYuanOrZero(typed)
  const sum = prestore + others + received
  const over = Math.max(0, sum - due)
  const change = method === 'cash' && !keep ? over : 0
  const short = Math.max(0, due - sum)
  useEffect(() => {
    if (bills.length) {
      box.current?.focus({ cursor: 'all' })
    }
  }, [bills.length, method])

  const go = async (): Promise<void> => {
    if (!bills.length || pay.isPending || reckoning) return
    if (typed !== undefined && readYuan(typed) === undefined && typed.trim() !== '') {
      setFault('实收金额应为数字，最多两位小数')
      return
    }
    setFault('')
    const methods = [
      ...(prestore ? [{ method: 'prestore' as const, amount: prestore }] : []),
      ...also.flatMap(a => {
        const amount = readYuanOrZero(a.text)
        return amount ? [{ method: a.method, amount }] : []
      }),
      ...(received ? [{ method, amount: received }] : []),
    ]
    try {
      const done = await pay.mutateAsync({
        projectCode: project,
        billIds: bills.map(b => String(b.billId)),
        expectAmount: total,
        methods,
        roundOff: off > 0,
        keep: keep && over > 0,
        ...(day ? { payTime: `${day} 12:00:00` } : {}),
        ...(remark.trim() ? { remark: remark.trim() } : {}),
      } as never)
      toast.success(
        `已收 ${displayYuan(done.received - done.change, true)}${done.change ? `，找零 ${displayYuan(done.change, true)}` : ''}${done.toPrestore ? `，转预存 ${displayYuan(done.toPrestore, true)}` : ''}，收据 ${done.receiptNo}`,
      )
      if (wantsPrint && may(menu.record.permissions.print)) {
        print.open([done.recordId])
      } else {
        onDone()
      }
    } catch (e) {
      const words = e instanceof Error ? e.message : '收款没有成功'
      const said = (e as { data?: readonly { Message: string }[] }).data?.[0]?.Message ?? words
      setFault(e instanceof RequestFailure ? `${said}。还不知道是否已收，请先刷新查看，不要重复收款` : said)
      if (said.startsWith('金额已变化')) {
        onRefresh()
      }
    }
  }
  const begin = (): Promise<OrderView> =>
    make.mutateAsync({
      projectCode: project,
      billIds: bills.map(b => String(b.billId)),
      expectAmount: total,
      ...(desk.payerKind && desk.payerId ? { payerKind: desk.payerKind, payerId: desk.payerId } : {}),
      ...(desk.payerName ? { payerName: desk.payerName } : {}),
      ...(remark.trim() ? { remark: remark.trim() } : {}),
    } as never)
  const start = async (): Promise<void> => {
    if (!bills.length || make.isPending) return
    setFault('')
    try {
      setOrder(await begin())
    } catch (e) {
      const words = e instanceof Error ? e.message : '没有发起'
      const said = (e as { data?: readonly { Message: string }[] }).data?.[0]?.Message ?? words
      setFault(said)
      if (said.startsWith('金额已变化')) {
        onRefresh()
      }
    }
  }
  const paid = useCallback(
    (o: OrderView): void => {
      setOrder(undefined)
      if (wantsPrint && o.recordId !== undefined && may(menu.record.permissions.print)) {
        print.open([o.recordId])
      } else {
        onDone()
      }
    },
    [may, onDone, print, wantsPrint],
  )
  const submit = (): void => {
    if (order) return
    if (through) {
      void start()
    } else {
      void go()
    }
  }
  // A key pressed before the channels are known counts: its way is taken as soon as it is offered.
  useShortcuts([
    ...(open ? offered : channelOptions).map(w => ({
      keys: w.keys,
      label: w.label,
      whileTyping: true,
      run: () => goOnline(w.door),
    })),
    ...offlineOptions.flatMap(w =>
      w.keys
        ? [
            {
              keys: w.keys,
              label: labelOf(payMethod, w.method),
              whileTyping: true,
              run: () => setMethod(w.method),
            },
          ]
        : [],
    ),
    { keys: 'Ctrl Enter', label: through ? '发起收款' : '确认收款', whileTyping: true, run: submit },
  ])
  const left = sumFen(all.map(b => b.total)) - Math.min(sum, due) - off
  return (
    <aside className="cashier-card cashier-pay">
      <div className="cashier-sums">
        <p>
          <span>账单合计</span>
          <b className="figure">{displayYuan(total)}</b>
        </p>
        {lies > 0 && (
          <p>
            <label>
              预存抵扣{' '}
              <Switch
                size="small"
                checked={usePurse && !through}
                disabled={through !== undefined}
                onChange={setUsePurse}
                aria-label="预存抵扣"
              />
            </label>
            <b className="figure">{prestore ? displayYuan(-prestore) : `可用 ${displayYuan(lies)}`}</b>
          </p>
        )}
        {mayCut && (
          <p>
            <label>
              {labelOf(roundOffMode, mode)}{' '}
              <Switch
                size="small"
                checked={cut && !through}
                disabled={through !== undefined}
                onChange={setCut}
                aria-label="抹零"
              />
            </label>
            <b className="figure">{off ? displayYuan(-off) : '--'}</b>
          </p>
        )}
      </div>
      <div className="cashier-due">
        <span>应收款</span>
        <strong className="figure">{displayYuan(due - prestore, true)}</strong>
      </div>
      <div className="cashier-ways" role="radiogroup" aria-label="支付方式">
        {renderMethodButtons(offered, door, goOnline, w => (
          <button
            key={w.method}
            type="button"
            role="radio"
            aria-checked={!through && w.method === method}
            onClick={() => setMethod(w.method)}
          >
            {w.keys && <kbd>{w.keys}</kbd>}
            {w.icon}
            <span>{w.label ?? labelOf(payMethod, w.method)}</span>
          </button>
        ))}
      </div>
      {through ? (
        <div className="cashier-cash">
          <p className="cashier-how">{through.how}</p>
          {(usePurse || cut || also.length > 0) && (
            <p className="cashier-how">线上收款按账单合计收取，不与预存抵扣、抹零、组合收款同用。</p>
          )}
        </div>
      ) : (
        <div className="cashier-cash">
          <label>
            <span>{method === 'cash' ? '实收现金' : '实收'}</span>
            <Input
              ref={box}
              size="large"
              prefix="¥"
              className="numeric"
              inputMode="decimal"
              aria-label="实收"
              value={typed ?? formatYuan(rest)}
              disabled={!bills.length}
              onChange={e => setTyped(e.target.value)}
              onFocus={e => e.target.select()}
              onPressEnter={e => {
                if (!e.ctrlKey) {
                  void go()
                }
              }}
            />
          </label>
          {method === 'cash' && bills.length > 0 && (
            <div className="cashier-likely">
              {suggestCashAmounts(rest).map((s, i) => (
                <button
                  key={s}
                  type="button"
                  aria-pressed={received === s}
                  onClick={() => setTyped(formatYuan(s))}
                >
                  {i ? displayYuan(s).replace('.00', '') : '刚好'}
                </button>
              ))}
            </div>
          )}
          <p>
            <span>{short ? '还差' : method === 'cash' && !keep ? '找零' : '多收'}</span>
            <b className="figure" data-short={short > 0 || undefined}>
              {displayYuan(short || (method === 'cash' && !keep ? change : over), true)}
            </b>
            {over > 0 && method === 'cash' && (
              <label>
                转预存 <Switch size="small" checked={keep} onChange={setKeep} aria-label="多收的转预存" />
              </label>
            )}
            {over > 0 && method !== 'cash' && <small>转预存</small>}
          </p>
          {also.map((a, i) => (
            <div className="cashier-also" key={i}>
              <Select
                size="small"
                value={a.method}
                options={methodSelectOptions}
                onChange={m => setAlso(also.map((x, n) => (n === i ? { ...x, method: m } : x)))}
                aria-label={`第 ${i + 2} 种方式`}
              />
              <Input
                size="small"
                prefix="¥"
                className="numeric"
                value={a.text}
                aria-label={`第 ${i + 2} 种方式金额`}
                onChange={e => setAlso(also.map((x, n) => (n === i ? { ...x, text: e.target.value } : x)))}
              />
              <button type="button" className="plain" onClick={() => setAlso(also.filter((_, n) => n !== i))}>
                移除
              </button>
            </div>
          ))}
          {also.length < 4 && (
            <button
              type="button"
              className="plain"
              disabled={!bills.length}
              onClick={() => {
                setAlso([...also, { method: 'transfer', text: '' }])
                setTyped(undefined)
              }}
            >
              <PlusOutlined /> 加一种方式（组合收款）
            </button>
          )}
        </div>
      )}
      <dl className="cashier-after">
        <div>
          <dt>收款后欠费</dt>
          <dd className="figure">{displayYuan(Math.max(0, left))}</dd>
        </div>
        {lies > 0 && (
          <div>
            <dt>收款后预存</dt>
            <dd className="figure">{displayYuan(lies - prestore + (keep ? over : 0))}</dd>
          </div>
        )}
      </dl>
      <div className="cashier-end">
        {may(menu.record.permissions.print) && (
          <Checkbox checked={wantsPrint} onChange={e => setWantsPrint(e.target.checked)}>
            打印收据
          </Checkbox>
        )}
        <Input
          size="small"
          placeholder="备注"
          aria-label="备注"
          maxLength={200}
          value={remark}
          onChange={e => setRemark(e.target.value)}
        />
      </div>
      {mayBackDate && !through && (
        <div className="cashier-end cashier-day">
          <span>缴费日期</span>
          <DatePicker
            size="small"
            aria-label="缴费日期"
            placeholder="今天"
            value={day ? dayjs(day) : null}
            disabledDate={d => d.isAfter(dayjs(), 'day')}
            onChange={d => {
              const said = d?.format('YYYY-MM-DD')
              setDay(said === today() ? undefined : said)
              setTyped(undefined)
            }}
          />
          {day && <small>{quote.isError ? quote.error.message : '违约金按这一天计'}</small>}
        </div>
      )}
      <div className="cashier-foot">
        {fault && (
          <p role="alert" className="cashier-fault">
            {fault}
          </p>
        )}
        {may(menu.cashier.permissions.pay) &&
          (through ? (
            <Button
              type="primary"
              size="large"
              block
              loading={make.isPending}
              disabled={!bills.length || total <= 0}
              onClick={() => void start()}
            >
              发起收款 {displayYuan(total, true)}
              <kbd>Ctrl ↵</kbd>
            </Button>
          ) : (
            <Button
              type="primary"
              size="large"
              block
              loading={pay.isPending}
              disabled={!bills.length || reckoning || sum <= 0 || (short > 0 && !desk.allowPartial)}
              onClick={() => void go()}
            >
              确认收款 {displayYuan(Math.min(sum, due), true)}
              <kbd>Ctrl ↵</kbd>
            </Button>
          ))}
        {short > 0 && !desk.allowPartial && bills.length > 0 && (
          <p className="cashier-fault">本项目不允许部分缴费</p>
        )}
      </div>
      {order && (
        <PayDialog
          key={order.id}
          first={order}
          door={door ?? 'qr'}
          channels={channels}
          again={begin}
          onPaid={paid}
          onClose={() => {
            setOrder(undefined)
            onRefresh()
          }}
        />
      )}
      <ReceiptThenNext print={print} onDone={onDone} />
    </aside>
  )
}

/** Cash first, then what a channel takes, then the rest: the order of the keys. */
const renderMethodButtons = (
  offered: typeof channelOptions,
  door: PayMode | undefined,
  choose: (d: PayMode) => void,
  button: (w: MethodOption) => ReactNode,
): ReactNode => (
  <>
    {offlineOptions.slice(0, 1).map(button)}
    {offered.map(w => (
      <button
        key={w.door}
        type="button"
        role="radio"
        aria-checked={w.door === door}
        onClick={() => choose(w.door)}
      >
        <kbd>{w.keys}</kbd>
        {w.icon}
        <span>{w.label}</span>
      </button>
    ))}
    {offlineOptions.slice(1).map(button)}
  </>
)

/** After the receipt's dialog is closed the next customer comes. */
function ReceiptThenNext({
  print,
  onDone,
}: {
  readonly print: ReturnType<typeof useReceipts>
  readonly onDone: () => void
}) {
  const was = useRef(false)
  useEffect(() => {
    if (print.dialog) {
      was.current = true
    } else if (was.current) {
      was.current = false
      onDone()
    }
  }, [onDone, print.dialog])
  return print.dialog
}
