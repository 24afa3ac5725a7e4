import { Button, Input, Modal, QRCode, Segmented, type InputRef } from 'antd'
import { ReloadOutlined } from '@ant-design/icons'
import { useEffect, useRef, useState } from 'react'
import { labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { toInstant } from '#kit/domain/moment.ts'
import { displayYuan } from '#kit/web/numbers.tsx'
import { invalidate } from '#kit/web/query.ts'
import { newUuid, send } from '#kit/web/send.ts'
import { StatusIcon } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import { usePermission } from '#kit/web/session.ts'
import { channel, orderState, payMethod } from '../contract/choices.ts'
import {
  acceptOrder,
  queryOrder,
  closeOrder,
  payByAuthCode,
  pollOrder,
  type OrderView,
} from '../contract/order.ts'
import { payByCard } from '../contract/terminal.ts'
import { payeeOf } from '../domain/order.ts'
import { menu } from '../module.ts'
import { CardPayment } from './card-payment.tsx'
import './pay-dialog.css'

export type PayMode = 'qr' | 'scan' | 'pos'
export type AvailableChannels = readonly {
  readonly channel: ChoiceOf<typeof channel>
  readonly simulated: boolean
}[]

const phoneModes = [
  { value: 'qr' as const, label: '收款码' },
  { value: 'scan' as const, label: '扫码枪' },
]

const cardModes = [{ value: 'pos' as const, label: 'POS' }]

/** By a phone where there is a channel for phones, by a card where there are terminals. */
export const payModesOf = (
  c: AvailableChannels,
): readonly { readonly value: PayMode; readonly label: string }[] => [
  ...(c.some(x => x.channel !== 'pos') ? phoneModes : []),
  ...(c.some(x => x.channel === 'pos') ? cardModes : []),
]

const billEntities = ['bill', 'payRecord', 'asset', 'feeRelation'] as const
const pollIntervalMs = 1000
const maxPollMs = 300_000

const formatCountdown = (s: number): string =>
  `${String(Math.floor(Math.max(0, s) / 60)).padStart(2, '0')}:${String(Math.max(0, s) % 60).padStart(2, '0')}`

/** We are the payer of what the company buys of the platform. */
const isPlatformPaid = (o: OrderView): boolean => payeeOf(o.orderType) === 'platform'
const isOpen = (o: OrderView): boolean => o.state === 'waiting' || o.state === 'paying'

const errorMessageOf = (e: unknown): string =>
  (e as { data?: readonly { Message: string }[] }).data?.[0]?.Message ??
  (e instanceof Error ? e.message : '没有成功，请重试')

const endMessages: Partial<Record<OrderView['state'], string>> = {
  closed: '收款已关闭',
  failed: '支付失败',
  refunded: '这笔款已经退回',
}

interface Props {
  readonly first: OrderView
  readonly door: PayMode
  readonly channels: AvailableChannels
  readonly again: () => Promise<OrderView>
  /** Entities whose lists are stale once it is paid. */ readonly stale?: readonly string[]
  readonly onPaid: (o: OrderView) => void
  readonly onClose: () => void
}

/**
 * One order from its picture to its money (C5.1): asked for each second, for five minutes; closes itself when
 * it is paid and stops when it never will be.
 */
export function PayDialog({
  first,
  door: wished,
  channels,
  again,
  stale = billEntities,
  onPaid,
  onClose,
}: Props) {
  const may = usePermission()
  const [o, setO] = useState(first)
  const [door, setDoor] = useState(wished)
  const [now, setNow] = useState(() => Date.now())
  const [began, setBegan] = useState(() => Date.now())
  const [fault, setFault] = useState('')
  const [busy, setBusy] = useState('')
  const [barcode, setBarcode] = useState('')
  const simulated = channels.some(c => c.simulated && c.channel !== 'pos')
  const told = useRef(false)
  const box = useRef<InputRef>(null)
  const open = isOpen(o)
  const isBill = o.orderType === 'bill'
  const under = o.state === 'paying'
  const tired = open && now - began >= maxPollMs
  const since = useRef<number>(undefined)
  if (under) {
    since.current ??= Date.now()
  } else {
    since.current = undefined
  }
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), pollIntervalMs)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (door === 'scan' && open && !under) {
      setTimeout(() => box.current?.focus(), 60)
    }
  }, [door, open, under])
  useEffect(() => {
    if (!open || tired) return
    const gone = new AbortController()
    const number = o.orderNo
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (): Promise<void> => {
      try {
        const seen = await send(pollOrder, { orderNo: number }, { quiet: true, signal: gone.signal })
        setO(was => (was.orderNo === seen.orderNo ? seen : was))
        setFault(f => (f === networkErrorMessage ? '' : f))
      } catch {
        if (!gone.signal.aborted) {
          setFault(networkErrorMessage)
        }
      }
      if (!gone.signal.aborted) {
        timer = setTimeout(() => void look(), pollIntervalMs)
      }
    }
    timer = setTimeout(() => void look(), pollIntervalMs)
    return () => {
      gone.abort()
      clearTimeout(timer)
    }
  }, [o.orderNo, open, tired])
  useEffect(() => {
    if (o.state !== 'paid' || told.current) return
    told.current = true
    toast.success(
      `${isPlatformPaid(o) ? '已支付' : '已收'} ${displayYuan(o.amount, true)}${o.payMethod ? `，${labelOf(payMethod, o.payMethod)}` : ''}`,
    )
    void invalidate(stale)
    onPaid(o)
  }, [o, onPaid, stale])

  const act = async (name: string, work: () => Promise<OrderView | undefined>): Promise<void> => {
    if (busy) return
    setBusy(name)
    setFault('')
    try {
      const after = await work()
      if (after) {
        setO(after)
      }
    } catch (e) {
      setFault(errorMessageOf(e))
    } finally {
      setBusy('')
    }
  }
  const cancel = (): Promise<OrderView> =>
    send(closeOrder, { orderNo: o.orderNo }, { quiet: true, uuid: newUuid() })
  const query = (): Promise<void> =>
    act('ask', () => send(queryOrder, { orderNo: o.orderNo }, { quiet: true }))
  const give = (): Promise<void> =>
    act('cancel', async () => {
      const after = await cancel()
      if (after.state !== 'paid') {
        await invalidate(['bill'])
        onClose()
      }
      return after
    })
  const renew = (): Promise<void> =>
    act('again', async () => {
      if (open) {
        const after = await cancel()
        if (after.state === 'paid') return after
      }
      const made = await again()
      setBegan(Date.now())
      setBarcode('')
      return made
    })
  const scanned = (): Promise<void> =>
    act('scan', async () => {
      try {
        return await send(
          payByAuthCode,
          {
            orderNo: o.orderNo,
            authCode: barcode.trim(),
            orderType: o.orderType,
            payType: 'scanner',
          } as never,
          { quiet: true },
        )
      } finally {
        setBarcode('')
        box.current?.focus()
      }
    })

  const left = Math.floor((toInstant(o.expireTime) - now) / 1000)
  const time = (m: string | undefined): string => m?.slice(11) ?? ''
  const steps: readonly {
    readonly label: string
    readonly note: string
    readonly time: string
    readonly done: boolean
    readonly at?: boolean
  }[] = [
    {
      label: '已下单',
      note: isBill ? '账单已锁定 15 分钟，其他人不能重复收' : '15 分钟内有效',
      time: time(o.createTime),
      done: true,
    },
    {
      label: door === 'pos' ? '已发到 POS 机' : '已扫码',
      note: o.channel ? labelOf(channel, o.channel) : door === 'pos' ? '等待选择 POS 机' : '等待付款人扫码',
      time: time(o.scanTime),
      done: o.scanTime !== undefined || o.channel !== undefined || o.state === 'paid',
    },
    {
      label: '支付中',
      note: open ? (tired ? '已停止自动查询，请手动查询' : '每秒查询一次，无需刷新') : '',
      time: under && since.current ? formatCountdown(Math.floor((now - since.current) / 1000)) : '',
      done: o.state === 'paid',
      at: under,
    },
    {
      label: '已到账',
      note: isBill ? '自动关闭本窗口并打印收据' : '自动关闭本窗口',
      time: time(o.paidTime),
      done: o.state === 'paid',
    },
  ]
  return (
    <Modal
      open
      width={720}
      centered
      className="pay-dialog"
      title={null}
      footer={null}
      closable={!busy}
      keyboard={!under && !busy}
      mask={{ closable: !under && !busy }}
      onCancel={onClose}
      aria-label="收款"
    >
      <div className="pay-left">
        <Segmented
          block
          options={[...payModesOf(channels)]}
          value={door}
          disabled={under || !open || busy !== ''}
          onChange={setDoor}
          aria-label="收款方式"
        />
        {door === 'qr' ? (
          <>
            <div className="pay-code" data-under={under || !open || undefined}>
              <QRCode
                value={`${location.origin}${o.url}`}
                size={208}
                bordered={false}
                color="black"
                bgColor="white"
              />
              {(under || !open) && (
                <p className="pay-over" data-bad={!open || undefined}>
                  <StatusIcon tone={open ? 'doing' : o.state === 'paid' ? 'done' : 'bad'} size={22} />
                  <b>{labelOf(orderState, o.state)}</b>
                  {open && <span>{o.channel === 'pos' ? '已发到 POS 机' : '付款人已扫码，正在付款'}</span>}
                </p>
              )}
            </div>
            <p>用手机扫码付款</p>
            {open && (
              <p>
                二维码 <b className="figure">{formatCountdown(left)}</b> 后失效 ·{' '}
                <button
                  type="button"
                  className="pay-plain"
                  disabled={busy !== ''}
                  onClick={() => void renew()}
                >
                  重新生成
                </button>
              </p>
            )}
            {simulated && open && (
              <p>
                <a href={o.url} target="_blank" rel="noreferrer">
                  在本机打开付款页（模拟渠道）
                </a>
              </p>
            )}
          </>
        ) : door === 'pos' ? (
          <CardPayment
            order={o}
            open={open}
            under={under}
            busy={busy === 'card'}
            send={terminal =>
              void act('card', () =>
                send(
                  payByCard,
                  { orderNo: o.orderNo, terminalNo: terminal },
                  { quiet: true, uuid: newUuid() },
                ),
              )
            }
          />
        ) : (
          <div className="pay-scan">
            <p>用扫码枪扫付款人手机上的付款码</p>
            <Input
              ref={box}
              size="large"
              aria-label="付款码"
              placeholder="付款码"
              autoComplete="off"
              maxLength={40}
              value={barcode}
              disabled={!open || under}
              onChange={e => setBarcode(e.target.value)}
              onPressEnter={() => void scanned()}
            />
            <Button block disabled={!open || under} loading={busy === 'scan'} onClick={() => void scanned()}>
              提交付款码
            </Button>
            {under && (
              <p className="pay-over">
                <StatusIcon tone="doing" size={22} />
                <b>支付中</b>
                <span>等待付款人在手机上确认</span>
              </p>
            )}
          </div>
        )}
      </div>
      <div className="pay-right">
        <h2>{isPlatformPaid(o) ? '支付' : '收款'}</h2>
        <strong className="figure">{displayYuan(o.amount, true)}</strong>
        <dl>
          <div>
            <dt>缴费人</dt>
            <dd>{[o.payerName, o.orderObj].filter(Boolean).join(' · ')}</dd>
          </div>
          <div>
            <dt>{isBill ? '收费项目' : '付款内容'}</dt>
            <dd>{o.orderBody}</dd>
          </div>
          <div>
            <dt>收费单位</dt>
            <dd>{o.orderMain}</dd>
          </div>
          <div>
            <dt>订单号</dt>
            <dd>{o.orderNo}</dd>
          </div>
        </dl>
        <ol>
          {steps.map(s => (
            <li key={s.label} data-done={s.done || undefined} data-at={s.at || undefined}>
              <StatusIcon tone={s.done ? 'done' : s.at ? 'doing' : 'open'} size={12} />
              <div>
                <b>{s.label}</b>
                <small>{s.note}</small>
              </div>
              <time className="figure">{s.time}</time>
            </li>
          ))}
        </ol>
        {!open && o.state !== 'paid' && (
          <p role="alert" className="cashier-fault">
            {endMessages[o.state]}
            {o.failReason ? `：${o.failReason}` : ''}。
            {o.state === 'refunded'
              ? isBill
                ? '账单已恢复未缴，请刷新后重新收款'
                : '请刷新后查看'
              : '没有收到款，可以重新发起或换一种方式'}
          </p>
        )}
        {open && o.failReason && (
          <p role="alert" className="cashier-fault">
            {o.failReason}，请联系有退款权限的同事处理，不要重复收款
          </p>
        )}
        {fault && (
          <p role="alert" className="cashier-fault">
            {fault}
          </p>
        )}
        <footer>
          {open && (
            <Button
              icon={<ReloadOutlined />}
              type={tired ? 'primary' : 'default'}
              loading={busy === 'ask'}
              onClick={() => void query()}
            >
              手动查询
            </Button>
          )}
          {open && o.failReason && may(menu.refund.permissions.audit) && (
            <Button
              loading={busy === 'accept'}
              onClick={() =>
                void act('accept', () =>
                  send(acceptOrder, { orderNo: o.orderNo }, { quiet: true, uuid: newUuid() }),
                )
              }
            >
              {isBill ? '按实收转预存' : '按实收入账'}
            </Button>
          )}
          <span />
          {open ? (
            <Button danger loading={busy === 'cancel'} onClick={() => void give()}>
              取消收款
            </Button>
          ) : (
            <>
              <Button onClick={onClose}>换方式</Button>
              {o.state !== 'refunded' && (
                <Button type="primary" loading={busy === 'again'} onClick={() => void renew()}>
                  重新发起
                </Button>
              )}
            </>
          )}
        </footer>
        <small className="pay-note">
          关闭窗口不影响到账；{isBill ? '到账结果会出现在「刚刚办理」里。' : '到账后自动生效。'}
        </small>
      </div>
    </Modal>
  )
}

const networkErrorMessage = '网络错误，正在重试；请不要重复收款'
