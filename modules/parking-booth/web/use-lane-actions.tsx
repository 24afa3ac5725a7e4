import { useState, type ReactNode } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import { displayYuan, type Fen } from '#kit/domain/money.ts'
import { useSend } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { useShortcuts } from '#kit/web/shortcuts.ts'
import { toast } from '#kit/web/toast.ts'
import { boothPermissions } from '#modules/parking-lanes/contract/booth-permissions.ts'
import { collectStayFee } from '#modules/parking-lanes/contract/charge.ts'
import { menu } from '../module.ts'
import { CorrectDialog, OpenDialog, PassDialog, ReleaseDialog, type LaneCar } from './lane-dialogs.tsx'
import type { LaneView } from './live-lanes.ts'

export interface LaneAction {
  readonly keys: string
  readonly label: string
  readonly isPrimary?: boolean
  readonly disabledReason?: string | undefined
  readonly run: () => void
}

type DialogKind = 'release' | 'correct' | 'open' | 'pass' | 'pass-again'

interface Opened {
  readonly kind: DialogKind
  readonly car: LaneCar
}

function LaneDialog({ opened: { kind, car }, onClose }: { opened: Opened; onClose: () => void }): ReactNode {
  if (kind === 'release') return <ReleaseDialog record={car} onClose={onClose} />
  if (kind === 'correct') return <CorrectDialog record={car} onClose={onClose} />
  if (kind === 'open') return <OpenDialog record={car} onClose={onClose} />
  return <PassDialog car={car} isCorrection={kind === 'pass-again'} onClose={onClose} />
}

interface Chosen {
  readonly lane: LaneView
  /** What the car owes at this moment; unknown until it is answered. */
  readonly due: Fen | undefined
  readonly onNext: (() => void) | undefined
  readonly onCollected: () => void
}

/** Sends the amount that stands on the button; it must still be what is due (PAY-1). */
function useCollect({ lane, due, onCollected }: Chosen) {
  const sending = useSend(collectStayFee)
  const [event] = lane.events
  const collect = async (payMethod: 'cash' | 'card'): Promise<void> => {
    if (event?.stayId === undefined || !due || sending.isPending) return
    await sending.mutateAsync({ id: event.stayId, amount: due, payMethod })
    toast.success(`已收取「${event.plateNo}」停车费 ${displayYuan(due)} 元`)
  }
  return {
    isSending: sending.isPending,
    collect: (payMethod: 'cash' | 'card') => () => void collect(payMethod).then(onCollected, onCollected),
  }
}

type Offered = LaneAction & { readonly needs?: Permission }

interface Offer extends Pick<Chosen, 'lane' | 'due' | 'onNext'> {
  readonly isSending: boolean
  readonly collect: (payMethod: 'cash' | 'card') => () => void
  readonly opens: (kind: DialogKind) => () => void
}

/** An exit decides the car again by its right plate; at an entrance the record is corrected (PRK-8). */
const correctionOf = (isExit: boolean, hasEvent: boolean, noCar: string | undefined) =>
  isExit
    ? {
        kind: 'pass-again' as const,
        needs: boothPermissions.pass,
        disabledReason: hasEvent ? undefined : '没有识别的车辆',
      }
    : { kind: 'correct' as const, needs: boothPermissions.correct, disabledReason: noCar }

function collectActions({ due, isSending, collect }: Offer, noCar: string | undefined): Offered[] {
  const nothingDue = due === undefined ? '正在计算停车费' : due > 0 ? undefined : '暂无待收的停车费'
  const disabledReason = isSending ? '正在收费' : (noCar ?? nothingDue)
  const amount = due ? ` ${displayYuan(due)} 元` : ''
  const needs = boothPermissions.collect
  return [
    { keys: 'C', label: `收现金${amount}`, isPrimary: true, needs, disabledReason, run: collect('cash') },
    { keys: 'K', label: `刷卡${amount}`, needs, disabledReason, run: collect('card') },
  ]
}

function offeredActions(offer: Offer): readonly Offered[] {
  const { lane, onNext, opens } = offer
  const [event] = lane.events
  const isExit = lane.direction !== 'entrance' && event?.way !== 'in'
  const noCar = event?.stayId === undefined ? '没有可处理的在场车辆' : undefined
  const { kind, ...correction } = correctionOf(isExit, event !== undefined, noCar)
  return [
    ...collectActions(offer, noCar),
    {
      keys: 'R',
      label: '放行',
      needs: boothPermissions.release,
      disabledReason: isExit ? noCar : '入口车道不能放行出场',
      run: opens('release'),
    },
    { keys: 'E', label: '修改车牌', ...correction, run: opens(kind) },
    { keys: 'O', label: '远程开闸', needs: menu.booth.permissions.open, run: opens('open') },
    { keys: 'P', label: '登记通行', needs: boothPermissions.pass, run: opens('pass') },
    {
      keys: 'N',
      label: '下一辆等候',
      disabledReason: onNext ? undefined : '没有其他等候的车辆',
      run: () => onNext?.(),
    },
  ]
}

/** What is done with the car of a lane, each with its key. */
export function useLaneActions(chosen: Chosen) {
  const { lane, due, onNext } = chosen
  const hasPermission = usePermission()
  const [opened, setOpened] = useState<Opened>()
  const { collect, isSending } = useCollect(chosen)
  const [event] = lane.events
  const opens = (kind: DialogKind) => () =>
    setOpened({ kind, car: { lane, event, stayId: event?.stayId ?? 0, hasDue: (due ?? 0) > 0 } })
  const actions = offeredActions({ lane, due, onNext, isSending, collect, opens }).filter(
    ({ needs }) => needs === undefined || hasPermission(needs),
  )
  useShortcuts(
    actions.flatMap(({ keys, label, disabledReason, run }) =>
      disabledReason === undefined ? [{ keys, label, run, group: '岗亭' }] : [],
    ),
  )
  return {
    actions,
    dialog: opened && <LaneDialog opened={opened} onClose={() => setOpened(undefined)} />,
  }
}
