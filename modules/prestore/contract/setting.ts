import { call } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { flag, int, list, money } from '#kit/contract/field.ts'
import { recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

/** How a project deducts from prestore and warns of low balances (ACC-5, ACC-12). */
export const prestoreSetting = entity(
  'assetSwitch',
  '预存设置',
  { table: 'prestore_switch', tenancy: 'project', title: 'projectCode', order: ['projectCode'] },
  {
    projectCode: estateField(),
    autoDeduct: flag('自动冲抵', {
      required: true,
      initial: false,
      help: '出账后与每日 03:00 自动用预存缴清账单',
    }),
    itemIds: list('允许冲抵的项目', { max: 200, wire: 'FeeItemIDs', help: '不选为全部' }),
    onlyDue: flag('仅冲抵已到期的账单', { required: true, initial: true }),
    deductLate: flag('同时冲抵违约金', { required: true, initial: true, wire: 'DeductLateFee' }),
    wholeBillOnly: flag('余额不足整张账单时不冲抵', { required: true, initial: false }),
    giftFirst: flag('先用赠送余额', { required: true, initial: false }),
    giftDays: int('赠送有效期', {
      min: 1,
      max: 3650,
      unit: '天',
      help: '不填为不过期；到期未用的赠送余额每日 03:00 收回',
    }),
    warnBalance: money('房屋账户低于', { min: 0, help: '不填为不提醒；账户自己的设置优先' }),
    warnResident: money('客户账户低于', { min: 0 }),
    warnCompany: money('企业账户低于', { min: 0 }),
  },
)

export type PrestoreSetting = Row<typeof prestoreSetting>

export const getPrestoreSetting = call({
  route: 'GET finance/v1/Asset/GetAssetSwitchInfo',
  title: '查看预存设置',
  needs: menu.setting.permissions.view,
  input: shape({ projectCode: estateField<true>() }),
  output: recordOf(prestoreSetting),
})

const {
  autoDeduct,
  itemIds,
  onlyDue,
  deductLate,
  wholeBillOnly,
  giftFirst,
  giftDays,
  warnBalance,
  warnResident,
  warnCompany,
} = prestoreSetting.fields

export const savePrestoreSetting = call({
  route: 'PUT finance/v1/Asset/SaveAssetSwitchInfo',
  title: '保存预存设置',
  needs: menu.setting.permissions.edit,
  input: shape({
    projectCode: estateField<true>(),
    /** The version that the form shows; without it, the last to save wins. */
    version: int('版本', { wire: 'Version', min: 0 }),
    autoDeduct,
    itemIds,
    onlyDue,
    deductLate,
    wholeBillOnly,
    giftFirst,
    giftDays,
    warnBalance,
    warnResident,
    warnCompany,
  }),
  output: recordOf(prestoreSetting),
  affects: ['assetSwitch'],
})
