import { labelOf } from '#kit/contract/field.ts'
import { relation } from '../contract/relation.ts'
import type { MoveLine } from '../contract/move-step.ts'
import type { Residency } from '../contract/residency.ts'
import { findPayer, findNextMainOwner } from '../domain/residency.ts'
import { registerMoveStep, type MoveContext } from './move-steps.ts'

const rolesOf = (residency: Residency): string =>
  [labelOf(relation, residency.relation), residency.isMain ? '主业主' : '', residency.isPayer ? '缴费人' : '']
    .filter(Boolean)
    .join(' · ')

/** What becomes of a residency that the move is about. */
function changeOf(
  residency: Residency,
  { kind, day, newOwners }: MoveContext,
): Pick<MoveLine, 'note' | 'tone'> {
  if (newOwners.some(owner => owner.id === residency.userId))
    return { note: `${day} 起转为业主`, tone: 'done' }
  return kind === 'checkin'
    ? { note: `${day} 起再次入住`, tone: 'done' }
    : { note: `${day} 迁出`, tone: 'off' }
}

const movingLines = (move: MoveContext): MoveLine[] =>
  move.residencies.map(residency => ({
    label: residency.userName ?? '',
    value: rolesOf(residency),
    ...changeOf(residency, move),
  }))

const newOwnerLines = ({ newOwners, moveIn, day }: MoveContext): MoveLine[] =>
  newOwners.map(owner => ({
    label: owner.name,
    value: owner.id === undefined ? '新业主' : '新业主 · 已有住户',
    note: moveIn ? `${day} 起入住` : `${day} 起为业主，不入住`,
    tone: 'done',
  }))

const remainingLines = ({ remaining }: MoveContext): MoveLine[] =>
  remaining.length
    ? [
        {
          label: '保留的住户',
          value: remaining.map(r => r.userName).join('、'),
          note: `${remaining.length} 人`,
        },
      ]
    : []

/** BASE-12: a role that somebody else has by now does not come back. */
function checkInRoleLines({ remaining, residencies }: MoveContext): MoveLine[] {
  const main = remaining.find(r => r.isMain)
  const payer = remaining.find(r => r.isPayer)
  return [
    ...(main && residencies.some(r => r.isMain)
      ? [
          {
            label: '主业主',
            value: main.userName,
            note: '仍是主业主，再次入住的人不恢复',
            tone: 'hold' as const,
          },
        ]
      : []),
    ...(payer && residencies.some(r => r.isPayer)
      ? [
          {
            label: '缴费人',
            value: payer.userName,
            note: '仍是缴费人，再次入住的人不恢复',
            tone: 'hold' as const,
          },
        ]
      : []),
  ]
}

function transferRoleLines({ newOwners, remaining }: MoveContext): MoveLine[] {
  const main = newOwners.find(owner => owner.isMain)
  const payerName =
    newOwners.find(owner => owner.isPayer)?.name ?? remaining.find(r => r.isPayer)?.userName ?? main?.name
  return [
    {
      label: '主业主',
      value: main?.name ?? '--',
      ...(main ? {} : { note: '请填写新业主', tone: 'hold' as const }),
    },
    ...(payerName ? [{ label: '缴费人', value: payerName, note: '之后的账单由其缴纳' }] : []),
  ]
}

/** Who takes over from a main owner or a payer that leaves (BASE-11). */
function leavingRoleLines({ residencies, remaining }: MoveContext): MoveLine[] {
  const owner = findNextMainOwner(remaining)
  const payer = findPayer(remaining)
  return [
    ...(residencies.some(r => r.isMain)
      ? [
          {
            label: '主业主',
            value: owner?.userName ?? '--',
            note: owner ? '接任主业主' : '没有其他业主，请另行登记或办理过户',
            tone: owner ? ('done' as const) : ('hold' as const),
          },
        ]
      : []),
    ...(residencies.some(r => r.isPayer || r.isMain)
      ? [
          {
            label: '缴费人',
            value: payer?.userName ?? '--',
            note: payer ? '之后的账单由其缴纳' : '没有缴费人，请另行设置',
            tone: payer ? ('done' as const) : ('hold' as const),
          },
        ]
      : []),
  ]
}

registerMoveStep({
  key: 'people',
  title: '住户',
  order: 0,
  kinds: ['checkout', 'checkin', 'transfer', 'moveOut'],
  plan: async move => {
    const people = [...movingLines(move), ...newOwnerLines(move)]
    if (move.kind === 'checkin') return { lines: [...people, ...checkInRoleLines(move)] }
    const roles = move.kind === 'transfer' ? transferRoleLines(move) : leavingRoleLines(move)
    return { lines: [...people, ...remainingLines(move), ...roles] }
  },
})
