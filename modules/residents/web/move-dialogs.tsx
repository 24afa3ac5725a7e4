import { useMemo, useState } from 'react'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { today } from '#kit/web/date-format.ts'
import { toast } from '#kit/web/toast.ts'
import { checkInAgain, checkOut, transferRoom, type TransferInput } from '../contract/move.ts'
import type { Residency } from '../contract/residency.ts'
import { unnamedPersonFault, OwnerLinesControl } from './line-controls.tsx'
import { MovePlan, type MoveAnswers } from './move-plan.tsx'

export type MoveTarget = Pick<Residency, 'id' | 'userName' | 'roomPath' | 'roomId'>
const joinNames = (l: readonly MoveTarget[]): string => l.map(x => x.userName).join('、')
const checkOutGroups = [{ keys: ['outDate', 'reason'] }]
const checkInGroups = [{ keys: ['inDate', 'reason'] }]

/** 迁出: what it ends and what is in its way stands under the date before anything is done. */
export function CheckOutDialog({
  links,
  onClose,
}: {
  readonly links: readonly MoveTarget[]
  readonly onClose: () => void
}) {
  const go = useSend(checkOut, { quiet: true })
  const [answers, setAnswers] = useState<MoveAnswers>([])
  const ids = useMemo(() => links.map(l => String(l.id)), [links])
  const initial = useMemo(() => ({ ids, outDate: today() }), [ids])
  return (
    <EditDialog
      shape={checkOut.input}
      title={`迁出「${links[0]?.roomPath ?? ''} ${joinNames(links)}」`}
      groups={checkOutGroups}
      initial={initial}
      submitLabel="确认迁出"
      presentation="drawer"
      save={v => go.mutateAsync({ ...v, ids, answers: [...answers] })}
      onClose={onClose}
      below={v => (
        <MovePlan
          ask={{ kind: 'checkout', ids, day: v.outDate }}
          ready={typeof v.outDate === 'string'}
          wanted="填写迁出日期后，这里列出将发生的事"
          answers={answers}
          onAnswer={setAnswers}
        />
      )}
      onDone={() => {
        toast.success(`已为${joinNames(links)}办理迁出`)
        onClose()
      }}
    />
  )
}

/** 再次入住 (BASE-12). */
export function CheckInDialog({
  links,
  onClose,
}: {
  readonly links: readonly MoveTarget[]
  readonly onClose: () => void
}) {
  const go = useSend(checkInAgain, { quiet: true })
  const [answers, setAnswers] = useState<MoveAnswers>([])
  const ids = useMemo(() => links.map(l => String(l.id)), [links])
  const initial = useMemo(() => ({ ids, inDate: today() }), [ids])
  return (
    <EditDialog
      shape={checkInAgain.input}
      title={`再次入住「${links[0]?.roomPath ?? ''} ${joinNames(links)}」`}
      groups={checkInGroups}
      initial={initial}
      submitLabel="确认入住"
      presentation="drawer"
      save={v => go.mutateAsync({ ...v, ids, answers: [...answers] })}
      onClose={onClose}
      below={v => (
        <MovePlan
          ask={{ kind: 'checkin', ids, day: v.inDate }}
          ready={typeof v.inDate === 'string'}
          wanted="填写入住日期后，这里列出将发生的事"
          answers={answers}
          onAnswer={setAnswers}
        />
      )}
      onDone={() => {
        toast.success(`已为${joinNames(links)}办理再次入住`)
        onClose()
      }}
    />
  )
}

const transferGroups = [
  {
    keys: [
      'day',
      { key: 'familyLeaves', help: '原业主的家属随原业主迁出；租户不受影响' },
      'moveIn',
      { key: 'people', control: OwnerLinesControl, wide: true },
      { key: 'reason', wide: true },
    ],
  },
]

/** 过户 (BASE-17): the new owners from a day on. */
export function TransferDialog({ of, onClose }: { readonly of: MoveTarget; readonly onClose: () => void }) {
  const go = useSend(transferRoom, { quiet: true })
  const [answers, setAnswers] = useState<MoveAnswers>([])
  const initial = useMemo(
    () => ({
      roomId: of.roomId,
      day: today(),
      familyLeaves: true,
      people: [{ relation: 'owner' as const, isMain: true }],
    }),
    [of],
  )
  const coming = (v: Partial<TransferInput>) =>
    (v.people ?? []).flatMap(({ userId, name, mobile, certNo, isMain, isPayer }) =>
      userId || name?.trim()
        ? [
            {
              userId,
              name: name?.slice(0, 40),
              mobile: mobile?.slice(0, 20),
              certNo: certNo?.slice(0, 30),
              isMain,
              isPayer,
            },
          ]
        : [],
    )
  return (
    <EditDialog
      shape={transferRoom.input}
      title={`过户「${of.roomPath ?? ''}」`}
      groups={transferGroups}
      initial={initial}
      submitLabel="确认过户"
      presentation="drawer"
      onClose={onClose}
      rules={v => {
        const who = unnamedPersonFault(v.people)
        return who ? { people: who } : undefined
      }}
      save={v =>
        go.mutateAsync({
          ...v,
          roomId: of.roomId,
          linkId: of.id,
          people: v.people.map(p => ({ ...p, relation: 'owner' as const })),
          answers: [...answers],
        })
      }
      below={v => (
        <MovePlan
          ask={{
            kind: 'transfer',
            roomId: of.roomId,
            day: v.day,
            familyLeaves: v.familyLeaves ?? false,
            moveIn: v.moveIn ?? false,
            people: coming(v),
          }}
          ready={typeof v.day === 'string'}
          wanted="填写生效日期后，这里列出将发生的事"
          answers={answers}
          onAnswer={setAnswers}
        />
      )}
      onDone={() => {
        toast.success(`已办理「${of.roomPath ?? ''}」过户`)
        onClose()
      }}
    />
  )
}
