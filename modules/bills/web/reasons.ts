import type { ChoiceOf } from '#kit/contract/field.ts'
import type { skipReason } from '#modules/fees/contract/choices.ts'

type Reason = ChoiceOf<typeof skipReason>

interface Skipped {
  readonly sourceType: string
  readonly sourceName: string
  readonly sourceCode: string
  readonly standardName?: string | undefined
}

const q = encodeURIComponent

/** Where the object itself is looked after. */
const sourceAt = (s: Skipped): string => {
  switch (s.sourceType) {
    case 'parkPlace':
      return `/service/data/parklots/carportlist?keyword=${q(s.sourceName)}`
    case 'publicArea':
      return `/service/data/PublicAreaManage?keyword=${q(s.sourceName)}`
    case 'company':
      return `/customer/companyManage?keyword=${q(s.sourceName)}`
    default:
      return `/service/data/roommange?keyword=${q(s.sourceName)}`
  }
}

const relations = (s?: Skipped): string =>
  `/finance/chargemanage/cashsetting/relevance${s ? `?keyword=${q(s.sourceName)}` : ''}`

const bills = (s?: Skipped): string =>
  `/finance/chargemanage/chargeList${s ? `?keyword=${q(s.sourceName)}` : ''}`

const standards = (s?: Skipped): string =>
  `/finance/chargemanage/cashsetting?tab=standards${s?.standardName ? `&keyword=${q(s.standardName)}` : ''}`

const readings = (): string => '/intelligentMeter/checkmeter'
const rooms = (s?: Skipped): string => (s ? sourceAt(s) : '/service/data/roommange')

/** What mends each reason, in two words, and where (GEN-6). */
export const fixes: Readonly<
  Record<Reason, { readonly words: string; readonly to: (s?: Skipped) => string } | undefined>
> = {
  areaMissing: { words: '去补录', to: rooms },
  startDateMissing: { words: '去补录', to: relations },
  meterReadingMissing: { words: '去抄表', to: readings },
  meterBaseMissing: { words: '去抄表', to: readings },
  formulaInvalid: { words: '看标准', to: standards },
  priceMissing: { words: '看标准', to: standards },
  periodExists: { words: '看账单', to: bills },
  suspended: { words: '看原因', to: relations },
  freePeriod: { words: '看关联', to: relations },
  sourceDisabled: { words: '看对象', to: rooms },
  payerMissing: { words: '去设置', to: rooms },
  amountZero: { words: '看标准', to: standards },
  excluded: undefined,
  poolMissing: { words: '去公摊', to: () => '/finance/chargemanage/sharepools' },
}
