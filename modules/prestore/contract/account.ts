import { call } from '#kit/contract/call.ts'
import { declareExport } from '#kit/contract/import-export.ts'
import { sheetColumns } from '#kit/contract/sheet.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, idOf, int, keyRef, lines, list, money, text } from '#kit/contract/field.ts'
import { byId, recordOf, pageOf, search, shape, reasonField, recordIdField } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { orderShape } from '#modules/payments/contract/order.ts'
import { methodLine } from '#modules/payments/contract/record.ts'
import { menu } from '../module.ts'
import { accountState, ownerKind } from './choices.ts'

/** Prestore of a room, a person, a company or a car: for any fee, or for one item (ACC-1). */
export const prestoreAccount = entity(
  'asset',
  '预存账户',
  { table: 'prestore_account', tenancy: 'project', title: 'ownerName', order: ['-id'] },
  {
    projectCode: estateField(),
    accountNo: text('账户号', { required: true, max: 30, searchable: true }),
    ownerKind: choice('账户主体', ownerKind, { required: true, immutable: true }),
    ownerCode: text('主体编码', { required: true, max: 40, immutable: true, hiddenIn: ['table'] }),
    ownerName: text('主体名称', { required: true, max: 100, immutable: true, searchable: true }),
    buildCode: keyRef('楼栋', 'building', {
      dataDomain: 'building',
      wire: 'Buildcode',
      immutable: true,
      hiddenIn: ['table', 'form', 'detail'],
    }),
    feeItemId: idOf('限定项目', {
      required: true,
      initial: 0,
      immutable: true,
      wire: 'FeeItemID',
      hiddenIn: ['table', 'filter', 'detail'],
      help: '0 为通用',
    }),
    feeItemName: text('限定项目', { derived: true, hiddenIn: ['form', 'filter'] }),
    balance: money('余额', { required: true, initial: 0, immutable: true }),
    giftBalance: money('赠送余额', { required: true, initial: 0, immutable: true }),
    /** Of the balance what refunds under approval ask for: nothing else takes it. */
    refunding: money('退款审批中', {
      required: true,
      initial: 0,
      immutable: true,
      hiddenIn: ['form', 'filter'],
    }),
    autoDeduct: flag('自动冲抵', { required: true, initial: true }),
    warnBalance: money('低余额提醒', { min: 0, hiddenIn: ['table', 'filter'] }),
    remark: text('备注', { max: 200, hiddenIn: ['table', 'filter'] }),
    state: choice('状态', accountState, {
      required: true,
      initial: 'open',
      immutable: true,
      struckOut: ['closed'],
    }),
  },
)

export type PrestoreAccount = Row<typeof prestoreAccount>

export const accountFilters = [
  'ownerKind',
  'ownerCode',
  'buildCode',
  'autoDeduct',
  'balance',
  'state',
] as const

const accountQueryFields = {
  feeItem: int('限定项目', { wire: 'FeeItemID', min: 0, target: 'feeItem' }),
  low: flag('余额不足', { wire: 'IsLow' }),
}

export const listAccounts = call({
  route: 'GET finance/v1/Asset/GetAssetPageList',
  title: '查询预存账户',
  needs: menu.account.permissions.view,
  input: search(prestoreAccount, accountFilters, accountQueryFields),
  output: pageOf(prestoreAccount, { sums: ['balance', 'giftBalance'] }),
})

export const accountColumns = sheetColumns(prestoreAccount.fields, [
  'accountNo',
  'ownerKind',
  'ownerName',
  'feeItemName',
  'balance',
  'giftBalance',
  'autoDeduct',
  'warnBalance',
  'state',
  'remark',
])

export const exportAccounts = declareExport({
  route: 'GET finance/v1/Asset/ExportListExcel',
  title: '导出预存账户',
  needs: menu.account.permissions.export,
  list: listAccounts,
})

export const getAccount = call({
  route: 'GET finance/v1/Asset/GetOneAsset',
  title: '查看预存账户',
  needs: menu.account.permissions.view,
  input: byId,
  output: recordOf(prestoreAccount),
})

const ownerInput = {
  projectCode: estateField<true>(),
  ownerKind: choice('账户主体', ownerKind, { required: true }),
  ownerCode: text('主体编码', { required: true, max: 40 }),
}

/** What a cashier must know before taking prestore: the accounts of an object. */
export const getPayInfo = call({
  route: 'GET finance/v1/Asset/GetPreStorePayInfo',
  title: '预存缴费信息',
  needs: menu.account.permissions.view,
  input: shape(ownerInput),
  output: shape({
    ownerName: text('主体名称', { required: true }),
    balance: money('余额', { required: true }),
    giftBalance: money('赠送余额', { required: true }),
    accounts: lines(
      '账户',
      {
        id: idOf('编号', { required: true, wire: 'ID' }),
        feeItemId: idOf('限定项目', { required: true, wire: 'FeeItemID' }),
        feeItemName: text('限定项目'),
        balance: money('余额', { required: true }),
        giftBalance: money('赠送余额', { required: true }),
      },
      { required: true },
    ),
  }),
})

export const editAccount = call({
  route: 'PUT finance/v1/Asset/PutAccount',
  title: '编辑预存账户',
  needs: menu.account.permissions.edit,
  input: shape({
    id: recordIdField,
    version: int('版本', { initial: 1 }),
    autoDeduct: prestoreAccount.fields.autoDeduct,
    warnBalance: prestoreAccount.fields.warnBalance,
    remark: prestoreAccount.fields.remark,
  }),
  output: recordOf(prestoreAccount),
  affects: ['asset'],
})

export const freezeAccount = call({
  route: 'PUT finance/v1/Asset/PutState',
  title: '冻结或解冻预存账户',
  needs: menu.account.permissions.freeze,
  input: shape({
    id: recordIdField,
    frozen: flag('冻结', { required: true }),
    reason: reasonField,
  }),
  output: recordOf(prestoreAccount),
  affects: ['asset'],
})

/** ACC-10: a top-up at the cashier; `gift` is a bonus that is never refundable (ACC-3). */
export const topUp = call({
  route: 'POST finance/v1/FeePayRecord/PostPrePay',
  aliases: ['finance/v1/FeePayRecord/PostPrePayNew'],
  title: '预存充值',
  needs: menu.account.permissions.topUp,
  affects: ['asset', 'assetRecord', 'payRecord'],
  input: shape({
    ...ownerInput,
    feeItemId: idOf('限定项目', { wire: 'FeeItemID', min: 0, initial: 0 }),
    methods: lines('支付方式', methodLine, { required: true, max: 12, wire: ['MethodJson', 'Methods'] }),
    gift: money('赠送', { min: 0, wire: 'GiftAmount' }),
    payerName: text('缴费人', { max: 80 }),
    remark: text('备注', { max: 200 }),
  }),
  output: shape({
    recordId: idOf('记录', { required: true, wire: 'RecordID' }),
    recordNo: text('流水号', { required: true }),
    receiptNo: text('收据号', { required: true }),
    balance: money('余额', { required: true }),
    giftBalance: money('赠送余额', { required: true }),
  }),
})

/** ACC-10 by a channel: starts a pay order; its money tops the account up once it has come. */
export const topUpOnline = call({
  route: 'POST finance/v1/FeePayRecord/PostPrePayWX',
  title: '预存扫码充值',
  needs: menu.account.permissions.topUp,
  affects: ['payOrder'],
  output: orderShape,
  input: shape({
    ...ownerInput,
    feeItemId: idOf('限定项目', { wire: 'FeeItemID', min: 0, initial: 0 }),
    amount: money('充值金额', { required: true, min: 1, max: 100_000_000 }),
    gift: money('赠送', { min: 0, wire: 'GiftAmount' }),
    payerName: text('缴费人', { max: 80 }),
    remark: text('备注', { max: 200 }),
  }),
})

export const refundAccount = call({
  route: 'POST finance/v1/Asset/PostRefund',
  title: '预存退款',
  needs: menu.account.permissions.refund,
  input: shape({
    id: recordIdField,
    amount: money('退款金额', { required: true, min: 1 }),
    method: methodLine.method,
    reason: reasonField,
  }),
  output: shape({
    ...prestoreAccount.fields,
    refundNo: text('退款单号', { help: '按退款的审批流程审批中的退款' }),
  }),
  affects: ['asset', 'assetRecord', 'payRecord', 'feeRefund'],
})

/**
 * ACC-6: runs the automatic deduction now, for named rooms or, where that is asked for, for all of a project.
 */
export const deductRooms = call({
  route: 'POST finance/v1/Asset/DeductRooms',
  title: '预存冲抵',
  needs: menu.account.permissions.deduct,
  affects: ['asset', 'assetRecord', 'payRecord', 'bill'],
  input: shape({
    projectCode: estateField<true>(),
    roomCodes: list('房间', {
      max: 2000,
      wire: ['RoomCodes', 'Roomcodes'],
    }),
    allRooms: flag('项目中有余额的全部房间', {
      initial: false,
      wire: 'AllRooms',
      help: '不指定房间时要说明',
    }),
  }),
  output: shape({
    rooms: int('房间', { required: true }),
    bills: int('账单', { required: true }),
    amount: money('冲抵金额', { required: true }),
    rows: lines(
      '明细',
      {
        code: text('房屋编码', { required: true }),
        name: text('房间', { required: true }),
        deducted: money('冲抵', { required: true }),
        unpaid: money('未缴', { required: true, wire: 'Left' }),
        reason: text('说明'),
      },
      { required: true },
    ),
  }),
})
