import { useState, type ReactNode } from 'react'
import type { Permission } from '#kit/contract/call.ts'
import { displayYuan, type Fen } from '#kit/domain/money.ts'
import { listLink } from '#kit/web/list/list-address.ts'
import { navigateTo } from '#kit/web/navigation.ts'
import { usePermission } from '#kit/web/session.ts'
import { useShortcuts } from '#kit/web/shortcuts.ts'
import { boothPermissions } from '#modules/parking-lanes/contract/booth-permissions.ts'
import { listStays } from '#modules/parking-lanes/contract/stay.ts'
import { menu } from '../module.ts'
import { CollectQuestion, type AskedFee } from './collect-question.tsx'
import {
  CorrectDialog,
  OpenDialog,
  PassDialog,
  ReleaseDialog,
  RepriceDialog,
  UnseenDialog,
  type LaneCar,
} from './lane-dialogs.tsx'
import { isUnseenExit } from './lane-text.ts'
import type { Booth, LaneEvent, LaneView } from './live-lanes.ts'
import { paths } from './paths.ts'

export interface LaneAction {
  readonly keys: string
  readonly label: string
  readonly isPrimary?: boolean
  readonly disabledReason?: string | undefined
  readonly run: () => void
}

type DialogKind = 'release' | 'price' | 'unseen' | 'correct' | 'open' | 'pass' | 'pass-again'

interface Opened {
  readonly kind: DialogKind
  readonly car: LaneCar
}

function LaneDialog({ opened: { kind, car }, onClose }: { opened: Opened; onClose: () => void }): ReactNode {
  if (kind === 'release') return <ReleaseDialog record={car} onClose={onClose} />
  if (kind === 'price') return <RepriceDialog record={car} onClose={onClose} />
  if (kind === 'unseen') return <UnseenDialog record={car} onClose={onClose} />
  if (kind === 'correct') return <CorrectDialog record={car} onClose={onClose} />
  if (kind === 'open') return <OpenDialog record={car} onClose={onClose} />
  return <PassDialog car={car} isCorrection={kind === 'pass-again'} onClose={onClose} />
}

interface Chosen {
  readonly booth: Booth
  readonly isOnDuty: boolean
  readonly lane: LaneView
  /** What the car owes at this moment; unknown until it is answered. */
  readonly due: Fen | undefined
  readonly onNext: (() => void) | undefined
  readonly onCollected: () => void
}

type Offered = LaneAction & { readonly needs?: Permission }

interface Offer extends Omit<Chosen, 'onCollected'> {
  readonly collect: (payMethod: AskedFee['payMethod']) => () => void
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

function collectActions({ due, isOnDuty, collect, opens }: Offer, noCar: string | undefined): Offered[] {
  const nothingDue = due === undefined ? '正在计算停车费' : due > 0 ? undefined : '暂无待收的停车费'
  const notOnDuty = isOnDuty ? undefined : '您未在该停车场当班，请先开始当班'
  const disabledReason = noCar ?? notOnDuty ?? nothingDue
  const amount = due ? ` ${displayYuan(due)} 元` : ''
  const needs = boothPermissions.collect
  return [
    { keys: 'C', label: `收现金${amount}`, isPrimary: true, needs, disabledReason, run: collect('cash') },
    { keys: 'K', label: `刷卡${amount}`, needs, disabledReason, run: collect('card') },
    { keys: 'G', label: '改价', needs: boothPermissions.reprice, disabledReason, run: opens('price') },
  ]
}

/** Who may, looks for the entry of a car that came without one: its plate was misread, or it is merged. */
const findEntry = ({ booth, lane: { events } }: Offer): Offered[] => {
  const [event] = events
  if (!event || !isUnseenExit(event)) return []
  const filter = { parkId: [String(booth.parkId)], state: ['inside', 'paid'] }
  return [
    {
      keys: 'M',
      label: event.hasLeft ? '合并' : '查找入场记录',
      needs: boothPermissions.correct,
      run: () => navigateTo(listLink(paths.stays, listStays, filter)),
    },
  ]
}

function noCarReason(event: LaneEvent | undefined): string | undefined {
  if (event?.hasLeft) return '车辆已离场'
  return event?.stayId === undefined ? '没有可处理的在场车辆' : undefined
}

function offeredActions(offer: Offer): readonly Offered[] {
  const { lane, onNext, opens } = offer
  const [event] = lane.events
  const isExit = lane.direction !== 'entrance' && event?.way !== 'in'
  const noCar = noCarReason(event)
  const isUnseen = event !== undefined && isUnseenExit(event) && !event.hasLeft
  const { kind, ...correction } = correctionOf(isExit, event !== undefined, noCar)
  return [
    ...collectActions(offer, noCar),
    {
      keys: 'R',
      label: '放行',
      needs: boothPermissions.release,
      disabledReason: isExit ? (isUnseen ? undefined : noCar) : '入口车道不能放行出场',
      run: opens(isUnseen ? 'unseen' : 'release'),
    },
    ...findEntry(offer),
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
  const { lane, due } = chosen
  const hasPermission = usePermission()
  const [opened, setOpened] = useState<Opened>()
  const [asked, setAsked] = useState<AskedFee>()
  const [event] = lane.events
  const collect = (payMethod: AskedFee['payMethod']) => () => {
    if (event?.stayId === undefined || !due) return
    setAsked({ stayId: event.stayId, plateNo: event.plateNo, due, payMethod })
  }
  const opens = (kind: DialogKind) => () =>
    setOpened({ kind, car: { lane, event, stayId: event?.stayId ?? 0, due: due ?? 0 } })
  const actions = offeredActions({ ...chosen, collect, opens }).filter(
    ({ needs }) => needs === undefined || hasPermission(needs),
  )
  useShortcuts(
    actions.flatMap(({ keys, label, disabledReason, run }) =>
      disabledReason === undefined ? [{ keys, label, run, group: '岗亭' }] : [],
    ),
  )
  const dialog = (
    <>
      {opened && <LaneDialog opened={opened} onClose={() => setOpened(undefined)} />}
      {asked && (
        <CollectQuestion asked={asked} onAnswered={chosen.onCollected} onClose={() => setAsked(undefined)} />
      )}
    </>
  )
  return { actions, dialog }
}
