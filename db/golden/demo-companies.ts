import { demoLogins } from '#modules/accounts/domain/demo-account.ts'
import { cloudEstate, riverEstate, smallEstate } from './demo-estates.ts'
import { gardenEstate } from './demo-garden-estate.ts'
import type { PlannedEstate } from './seed-estate.ts'

export interface DemoCompany {
  readonly loginCode: string
  readonly companyName: string
  readonly plans: readonly PlannedEstate[]
  /** Whether it has bills, payments, counters and meters. */
  readonly lively: boolean
}

export const mainCompany: DemoCompany = {
  loginCode: demoLogins.main,
  companyName: '安居物业演示公司',
  plans: [gardenEstate, riverEstate, cloudEstate],
  lively: true,
}

export const smallCompany: DemoCompany = {
  loginCode: demoLogins.small,
  companyName: '清园物业演示公司',
  plans: [smallEstate],
  lively: false,
}
