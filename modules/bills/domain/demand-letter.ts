import { otherDebtsText, type OtherDebts } from './reminder.ts'

interface LetterBills {
  readonly count: number
  readonly overdue: number
  /** How often the one was demanded that was demanded most. */
  readonly reminders: number
}

const deadline = '请于收到本函之日起 7 日内缴清'

const overdueOpenings: Readonly<Record<number, (what: string, reminders: number) => string>> = {
  1: what => `经查，${what}已过应缴日，可能因您疏忽而未缴纳，${deadline}`,
  2: (what, reminders) =>
    `您有${what}逾期未缴，${reminders > 0 ? `我们已提醒 ${reminders} 次，` : ''}${deadline}`,
  3: what => `您有${what}长期逾期未缴，${deadline}；有异议的，请在期限内书面提出并说明理由`,
  4: what => `您有${what}长期拖欠，${deadline}；逾期仍未缴纳的，我们将依照合同约定和法律规定主张权利`,
}

/**
 * How a letter begins, by the level of its oldest bill: it calls overdue only what is, and reminders only
 * those that were made (URG-3).
 */
export function letterOpening(level: number, { count, overdue, reminders }: LetterBills): string {
  const open = overdueOpenings[Math.min(level, 4)]
  if (!open) return '根据物业服务合同，以下费用即将到期，请在应缴日前缴纳。'
  return overdue < count
    ? `${open(`以下 ${count} 笔费用中的 ${overdue} 笔`, reminders)}；未到应缴日的，请在应缴日前缴纳。`
    : `${open('以下费用', reminders)}。`
}

/** A letter or notice over a part of the debts says that it is one; `paper` is 本函 or 本单. */
export const partText = (paper: string, others: OtherDebts | undefined): string =>
  others ? `${paper}只列部分费用，截至制${paper.slice(1)}之日您${otherDebtsText(others)}。` : ''
