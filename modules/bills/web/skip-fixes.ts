import { paths } from './paths.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import type { skipReason } from '#modules/fees/contract/choices.ts'

type SkipReason = ChoiceOf<typeof skipReason>

interface SkippedSource {
  readonly sourceType: string
  readonly sourceName: string
  readonly sourceCode: string
  readonly standardName?: string | undefined
}

const encode = encodeURIComponent

/** The screen on which the object is maintained. */
const sourcePath = (source: SkippedSource): string => {
  switch (source.sourceType) {
    case 'parkPlace':
      return `${paths.places}?keyword=${encode(source.sourceName)}`
    case 'car':
      return `${paths.cars}?keyword=${encode(source.sourceName)}`
    case 'publicArea':
      return `${paths.publicAreas}?keyword=${encode(source.sourceName)}`
    case 'company':
      return `${paths.companies}?keyword=${encode(source.sourceName)}`
    default:
      return `${paths.rooms}?keyword=${encode(source.sourceName)}`
  }
}

const relationsPath = (s?: SkippedSource): string =>
  `${paths.feeRelations}${s ? `?keyword=${encode(s.sourceName)}` : ''}`

const billsPath = (s?: SkippedSource): string =>
  `${paths.bills}${s ? `?keyword=${encode(s.sourceName)}` : ''}`

const standardsPath = (s?: SkippedSource): string =>
  `${paths.feeSetting}?tab=standards${s?.standardName ? `&keyword=${encode(s.standardName)}` : ''}`

const readingsPath = (): string => paths.readings
const roomsPath = (s?: SkippedSource): string => (s ? sourcePath(s) : paths.rooms)

/** What mends each reason, in two words, and where (GEN-6). */
export const skipFixes: Readonly<
  Record<SkipReason, { readonly words: string; readonly to: (s?: SkippedSource) => string } | undefined>
> = {
  areaMissing: { words: '补录面积', to: roomsPath },
  startDateMissing: { words: '补录日期', to: relationsPath },
  meterReadingMissing: { words: '录入读数', to: readingsPath },
  meterBaseMissing: { words: '录入读数', to: readingsPath },
  formulaInvalid: { words: '查看标准', to: standardsPath },
  priceMissing: { words: '查看标准', to: standardsPath },
  periodExists: { words: '查看账单', to: billsPath },
  suspended: { words: '查看原因', to: relationsPath },
  freePeriod: { words: '查看关联', to: relationsPath },
  sourceDisabled: { words: '查看对象', to: roomsPath },
  payerMissing: { words: '设置缴费人', to: roomsPath },
  amountZero: { words: '查看标准', to: standardsPath },
  excluded: undefined,
  waived: undefined,
  poolMissing: { words: '录入公摊', to: () => paths.pools },
}
