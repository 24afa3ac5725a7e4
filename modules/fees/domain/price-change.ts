import type { FormulaType } from './standard.ts'

const rentMessage = '租金由合同约定，没有单价可调'

const noPriceMessages: Readonly<Partial<Record<FormulaType, string>>> = {
  share: '金额由公摊计算得出，没有单价可调',
  imported: '金额随每次导入或填写给出，没有单价可调',
  rent: rentMessage,
  risingRent: rentMessage,
}

/** Why a standard's price cannot be changed (FEE-6): its amounts come from elsewhere. */
export const priceRefusal = (type: FormulaType | undefined): string | undefined =>
  type && noPriceMessages[type]
