import { useState, type ReactNode } from 'react'
import type { Actions } from '#kit/web/action.tsx'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { clearStays, correctPlate, mergeStays, releaseStay, type ParkingStay } from '../contract/stay.ts'
import { menu } from '../module.ts'

const CollectDialog = lazyComponent(() => import('./collect-dialog.tsx').then(m => m.CollectDialog))

/** A record of the list, or of the cars inside. */
export type HandledStay = Pick<
  ParkingStay,
  'id' | 'projectCode' | 'parkId' | 'plateNo' | 'inTime' | 'outTime' | 'state'
>

type Kind = 'collect' | 'release' | 'correct' | 'merge' | 'clear'
type OneKind = Exclude<Kind, 'collect' | 'clear'>

const ReleaseDialog = actionDialog({
  call: releaseStay,
  title: (stay: HandledStay) => `放行「${stay.plateNo}」`,
  submitLabel: '放行',
  keys: ['outLaneId', { key: 'isFree', wide: true }, { key: 'reason', wide: true }],
  target: stay => ({ id: stay.id }),
  context: stay => ({ projectCode: stay.projectCode }),
  doneText: stay => `已放行「${stay.plateNo}」`,
})

const CorrectDialog = actionDialog({
  call: correctPlate,
  title: (stay: HandledStay) => `修改「${stay.plateNo}」的车牌`,
  submitLabel: '修改',
  keys: ['plateNo', { key: 'reason', wide: true }],
  target: stay => ({ id: stay.id }),
  doneText: (_, stay) => `已改为「${stay.plateNo}」`,
})

const MergeDialog = actionDialog({
  call: mergeStays,
  title: (stay: HandledStay) => `合并「${stay.plateNo}」的出场记录`,
  submitLabel: '合并',
  keys: [
    { key: 'exitId', wide: true },
    { key: 'reason', wide: true },
  ],
  target: stay => ({ id: stay.id }),
  context: stay => ({ projectCode: stay.projectCode, parkId: stay.parkId }),
  doneText: stay => `已合并「${stay.plateNo}」的记录`,
})

const ClearDialog = actionDialog({
  call: clearStays,
  title: (stays: readonly HandledStay[]) => `清场 ${stays.length} 条记录`,
  submitLabel: '清场',
  danger: true,
  keys: [{ key: 'reason', wide: true, help: '车辆已不在场：记录按异常出场结束，不收费' }],
  target: stays => ({ ids: stays.map(stay => String(stay.id)) }),
  doneText: () => '已清场',
})

const dialogByKind = { release: ReleaseDialog, correct: CorrectDialog, merge: MergeDialog } as const

interface Open {
  readonly kind: Kind
  readonly stays: readonly HandledStay[]
}

const isInside = ({ state }: HandledStay): boolean => state === 'inside' || state === 'paid'
const isWithoutExit = ({ state, inTime, outTime }: HandledStay): boolean =>
  state !== 'merged' && inTime !== undefined && outTime === undefined

/** What is done with stays, and the dialogs in which it is done. */
export function useStayActions() {
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const { permissions } = menu.stay
  const opens = (kind: Kind, stay: HandledStay) => () => setOpen({ kind, stays: [stay] })
  const actions = (stay: HandledStay): Actions => [
    isInside(stay) && { label: '收费', needs: menu.charge.permissions.collect, run: opens('collect', stay) },
    isInside(stay) && { label: '放行', needs: permissions.release, run: opens('release', stay) },
    stay.state !== 'merged' && {
      label: '修改车牌',
      needs: permissions.correct,
      run: opens('correct', stay),
    },
    isWithoutExit(stay) && { label: '合并出场记录', needs: permissions.correct, run: opens('merge', stay) },
  ]
  const batch = [
    {
      label: '清场',
      needs: permissions.clear,
      danger: true,
      disabledReason: ({ rows }: { readonly rows: readonly HandledStay[] }) =>
        rows.every(isInside) ? undefined : '请只勾选在场的记录',
      run: (selected: { readonly rows: readonly HandledStay[] }) =>
        setOpen({ kind: 'clear', stays: selected.rows }),
    },
  ]
  return { actions, batch, dialogs: open && <StayDialog open={open} onClose={close} /> }
}

function StayDialog({ open, onClose }: { readonly open: Open; readonly onClose: () => void }): ReactNode {
  const { kind, stays } = open
  const [stay] = stays
  if (kind === 'clear') return <ClearDialog record={stays} onClose={onClose} />
  if (!stay) return null
  if (kind === 'collect') return <CollectDialog stay={stay} onClose={onClose} />
  const Dialog = dialogByKind[kind satisfies OneKind]
  return <Dialog record={stay} onClose={onClose} />
}
