import type { Fen } from '#kit/domain/money.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { refuse } from '#kit/contract/wire.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { postEntries, ensurePrepaidAccount } from './ledger.ts'

export interface DepositConversion {
  readonly projectCode: string
  readonly roomCode: string
  readonly name: string
  readonly building?: string | undefined
  readonly amount: Fen
  readonly at: Moment
  readonly remark: string
}

/** A deposit that becomes prestore of its room, for any fee (ACC-2 押金转入). */
export async function creditDeposit(tx: Tx, scope: Scope, conversion: DepositConversion): Promise<void> {
  const account = await ensurePrepaidAccount(
    tx,
    scope,
    conversion.projectCode,
    { kind: 'room', code: conversion.roomCode },
    conversion.name,
    0,
    conversion.building,
    dayOfMoment(conversion.at),
  )
  if (account.frozen) refuse(`账户「${conversion.name}」已冻结，请先解冻`)
  await postEntries(
    tx,
    scope,
    [{ accountId: account.id, type: 'deposit', amount: conversion.amount, remark: conversion.remark }],
    conversion.at,
  )
}
