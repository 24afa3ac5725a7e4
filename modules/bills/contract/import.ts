import { crudImport, type SheetLineOf } from '#kit/contract/crud-sheet.ts'
import { choice, choiceTable, day, money, ref, text } from '#kit/contract/field.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { menu } from '../module.ts'
import { bill } from './bill.ts'

/**
 * A refunded bill or one that waits for audit keeps the database from accepting another one for the same
 * days; an import may abolish it first, and the new bill then names it (BILL-8, GEN-2).
 */
export const existingMode = choiceTable('BillExistingMode', '遇到已退款或待审核的同账期账单', {
  skip: [10, '跳过，保留原账单'],
  replace: [20, '先作废原账单，再导入'],
})

/** One bill per line (TMP-5). The project is chosen next to the file. */
export const importBills = crudImport(
  { entity: bill, path: 'finance/v1/FeeBill' },
  {
    needs: menu.bill.permissions.import,
    route: 'POST finance/v1/FeeBill/Import',
    aliases: ['Feebill/postimport'],
    affects: ['bill', 'billRun'],
    modes: existingMode,
    fields: {
      sourceType: choice('对象类型', sourceType, { initial: 'room', synonyms: ['类型'], help: '不填为房屋' }),
      sourceName: text('房号/车位', {
        required: true,
        max: 100,
        synonyms: ['房号', '房间', '车位', '车位号', '车牌', '房号/车牌', '收费对象', '对象', '房间号'],
        help: '如 3-2-1502；车位填车位号，车辆填车牌，企业填名称',
      }),
      feeItemId: ref('收费项目', 'feeItem', {
        required: true,
        synonyms: ['费用名称', '项目名称', '费用项目'],
      }),
      beginDate: day('账期起', { required: true, synonyms: ['开始日期', '起', '费用开始日期'] }),
      endDate: day('账期止', { required: true, synonyms: ['结束日期', '止', '费用结束日期'] }),
      amount: money('金额', {
        required: true,
        min: 1,
        max: 9_999_999_999,
        synonyms: ['应收金额', '应收', '费用金额'],
      }),
      dueDate: day('应缴日', { synonyms: ['应缴日期', '缴费期限'] }),
      remark: text('备注', { max: 200, synonyms: ['说明文字'] }),
    },
    unique: ['sourceName', 'feeItemId', 'beginDate', 'endDate'],
  },
)

export type BillLine = SheetLineOf<typeof importBills>
