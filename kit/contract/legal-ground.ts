import { choiceTable } from './field.ts'

/** Why personal data may be kept without asking first (个人信息保护法 第十三条). */
export const legalGround = choiceTable('LegalGround', '处理依据', {
  consent: [10, '个人同意'],
  contract: [20, '订立、履行合同'],
  employment: [30, '人力资源管理'],
  law: [40, '法定义务'],
  records: [50, '履职与安全记录'],
})

export type LegalGround = keyof typeof legalGround.rows
