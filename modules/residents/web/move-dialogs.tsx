import { useMemo, useState } from 'react'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useSend } from '#kit/web/query.ts'
import { today } from '#kit/web/date-format.ts'
import { toast } from '#kit/web/toast.ts'
import { checkInAgain, checkOut, transferRoom, type TransferInput } from '../contract/move.ts'
import type { Residency } from '../contract/residency.ts'
import { unnamedPersonFault, OwnerLinesControl } from './line-controls.tsx'
import { MovePlan, type MoveAnswers } from './move-plan.tsx'

export type MoveTarget = Pick<Residency, 'id' | 'userName' | 'roomPath' | 'roomId'>
const joinNames = (targets: readonly MoveTarget[]): string => targets.map(x => x.userName).join('、')
const checkOutGroups = [{ keys: ['outDate', 'reason'] }]
const checkInGroups = [{ keys: ['inDate', 'reason'] }]

/** 迁出: what it ends and what is in its way stands under the date before anything is done. */
export function CheckOutDialog({
  residencies,
  onClose,
}: {
  readonly residencies: readonly MoveTarget[]
  readonly onClose: () => void
}) {
  const submit = useSend(checkOut, { quiet: true })
  const [answers, setAnswers] = useState<MoveAnswers>([])
  const ids = useMemo(() => residencies.map(targets => String(targets.id)), [residencies])
  const initial = useMemo(() => ({ ids, outDate: today() }), [ids])
  return (
    <EditDialog
      shape={checkOut.input}
      title={`迁出「${residencies[0]?.roomPath ?? ''} ${joinNames(residencies)}」`}
      groups={checkOutGroups}
      draftKey={draftKeyOf(checkOut, ids)}
      initial={initial}
      submitLabel="确认迁出"
      presentation="drawer"
      save={values => submit.mutateAsync({ ...values, ids, answers: [...answers] })}
      onClose={onClose}
      below={values => (
        <MovePlan
          query={{ kind: 'checkout', ids, day: values.outDate }}
          isReady={typeof values.outDate === 'string'}
          hint="填写迁出日期后，此处列出将办理的事项"
          answers={answers}
          onAnswer={setAnswers}
        />
      )}
      onDone={() => {
        toast.success(`已为${joinNames(residencies)}办理迁出`)
        onClose()
      }}
    />
  )
}

/** 再次入住 (BASE-12). */
export function CheckInDialog({
  residencies,
  onClose,
}: {
  readonly residencies: readonly MoveTarget[]
  readonly onClose: () => void
}) {
  const submit = useSend(checkInAgain, { quiet: true })
  const [answers, setAnswers] = useState<MoveAnswers>([])
  const ids = useMemo(() => residencies.map(targets => String(targets.id)), [residencies])
  const initial = useMemo(() => ({ ids, inDate: today() }), [ids])
  return (
    <EditDialog
      shape={checkInAgain.input}
      title={`再次入住「${residencies[0]?.roomPath ?? ''} ${joinNames(residencies)}」`}
      groups={checkInGroups}
      draftKey={draftKeyOf(checkInAgain, ids)}
      initial={initial}
      submitLabel="确认入住"
      presentation="drawer"
      save={values => submit.mutateAsync({ ...values, ids, answers: [...answers] })}
      onClose={onClose}
      below={values => (
        <MovePlan
          query={{ kind: 'checkin', ids, day: values.inDate }}
          isReady={typeof values.inDate === 'string'}
          hint="填写入住日期后，此处列出将办理的事项"
          answers={answers}
          onAnswer={setAnswers}
        />
      )}
      onDone={() => {
        toast.success(`已为${joinNames(residencies)}办理再次入住`)
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
      { key: 'people', control: OwnerLinesControl },
      { key: 'reason', wide: true },
    ],
  },
]

/** 过户 (BASE-17): the new owners from a day on. */
export function TransferDialog({
  target,
  onClose,
}: {
  readonly target: MoveTarget
  readonly onClose: () => void
}) {
  const submit = useSend(transferRoom, { quiet: true })
  const [answers, setAnswers] = useState<MoveAnswers>([])
  const initial = useMemo(
    () => ({
      roomId: target.roomId,
      day: today(),
      familyLeaves: true,
      people: [{ relation: 'owner' as const, isMain: true }],
    }),
    [target],
  )
  const newOwnersOf = (values: Partial<TransferInput>) =>
    (values.people ?? []).flatMap(({ userId, name, mobile, certNo, isMain, isPayer }) =>
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
      title={`过户「${target.roomPath ?? ''}」`}
      groups={transferGroups}
      draftKey={draftKeyOf(transferRoom, target.roomId)}
      initial={initial}
      submitLabel="确认过户"
      presentation="drawer"
      onClose={onClose}
      rules={values => {
        const peopleFault = unnamedPersonFault(values.people)
        return peopleFault ? { people: peopleFault } : undefined
      }}
      save={values =>
        submit.mutateAsync({
          ...values,
          roomId: target.roomId,
          linkId: target.id,
          people: values.people.map(p => ({ ...p, relation: 'owner' as const })),
          answers: [...answers],
        })
      }
      below={values => (
        <MovePlan
          query={{
            kind: 'transfer',
            roomId: target.roomId,
            day: values.day,
            familyLeaves: values.familyLeaves ?? false,
            moveIn: values.moveIn ?? false,
            people: newOwnersOf(values),
          }}
          isReady={typeof values.day === 'string'}
          hint="填写生效日期后，此处列出将办理的事项"
          answers={answers}
          onAnswer={setAnswers}
        />
      )}
      onDone={() => {
        toast.success(`已办理「${target.roomPath ?? ''}」过户`)
        onClose()
      }}
    />
  )
}
