import { useState } from 'react'
import type { TillDesk, TillPart } from '#modules/payments/web/public.ts'
import { TopUpDialog, type TopUpOf } from './account-dialogs.tsx'

/** Whose account money at the till goes to: the room's, else the payer's own. */
export function purseOfDesk(project: string, d: TillDesk): TopUpOf | undefined {
  if (d.sourceType === 'room') return { projectCode: project, ownerKind: 'room', ownerCode: d.sourceCode, ownerName: d.sourceName }
  return d.payerKind && d.payerId ? { projectCode: project, ownerKind: d.payerKind, ownerCode: String(d.payerId), ownerName: d.payerName ?? d.sourceName } : undefined
}
/** 预存充值 at the till: for any fee or for one, with a bonus, by several ways (ACC-10). */
export function TillTopUp({ project, desk, onClose, onPaid }: TillPart) {
  const [of] = useState(() => purseOfDesk(project, desk))
  return of ? <TopUpDialog of={of} chooses payer={desk.payerName} onClose={onClose} onDone={id => onPaid([id])} />: null
}
