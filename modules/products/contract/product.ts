import { call, everyone } from '#kit/contract/call.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, choices, day, flag, idOf, int, list, money, text } from '#kit/contract/field.ts'
import { byId, noData, listOfRows, shape } from '#kit/contract/shape.ts'
import { edition } from '#modules/accounts/contract/company.ts'
import { menu } from '../module.ts'
import { chargeBy, holdingState, nodeType, productKind } from './labels.ts'

/** The catalogue: what the platform sells, to every company alike. */
export const product = entity(
  'product',
  '产品',
  { table: 'product', tenancy: 'platform', title: 'productName', order: ['sort', 'id'] },
  {
    productCode: text('产品编码', { required: true, max: 30 }),
    productName: text('产品名称', { required: true, max: 60 }),
    productType: text('产品类型', { required: true, max: 30, wire: 'ProductType' }),
    kind: choice('类别', productKind, { required: true }),
    intro: text('简介', { required: true, max: 200 }),
    features: list('包含内容', { max: 20 }),
    unit: text('单位', { required: true, max: 10 }),
    chargeBy: choice('计价方式', chargeBy, { required: true }),
    price: money('单价', { min: 0 }),
    minQuantity: int('起订数量', { required: true, initial: 1, min: 1 }),
    modules: list('包含模块', { max: 40, help: '未开通时不出现的模块' }),
    edition: choice('版本', edition),
    nodeType: choice('增值类型', nodeType),
    sort: int('排序', { required: true, initial: 0 }),
  },
)

export type Product = Row<typeof product>

/** A product, and whether the company has bought it. */
const productCenterFields = {
  ...product.fields,
  typeName: text('类型名称', { required: true }),
  state: choice('开通状态', holdingState, { required: true }),
  included: flag('随版本赠送', { required: true, help: '当前版本已包含，无需另外开通' }),
  enabled: flag('启用', { required: true }),
  expireDate: day('到期日期'),
  orderNo: text('待支付订单', { wire: 'OrderNo' }),
}

export const listProductCenter = call({
  route: 'GET ProductCenter/Get',
  title: '产品中心',
  needs: menu.product.permissions.view,
  input: shape({ kinds: choices('类别', productKind, { wire: 'Kind' }) }),
  output: listOfRows(productCenterFields),
})

export const getProduct = call({
  route: 'GET ProductCenter/GetOne',
  title: '产品详情',
  needs: menu.product.permissions.view,
  input: byId,
  output: shape({
    ...productCenterFields,
    infs: list('接口'),
    properties: list('属性'),
    estates: int('计费项目', { help: '按项目计费时的项目数' }),
  }),
})

/** The three steps of the product picker (0§3). */
export const listProductCategories = call({
  route: 'GET Product/GetCategoryList',
  title: '产品分类',
  needs: everyone,
  input: noData,
  output: listOfRows({
    id: idOf('编号', { required: true, wire: 'ID' }),
    catName: text('分类', { required: true, wire: 'CatName' }),
  }),
})

export const listProductTypes = call({
  route: 'GET Product/GetTypeList',
  title: '产品类型',
  needs: everyone,
  input: shape({ catId: idOf('分类', { min: 1, wire: 'CatId' }) }),
  output: listOfRows({
    typeCode: text('类型编码', { required: true, wire: 'typeCode' }),
    typeName: text('类型', { required: true, wire: 'typeName' }),
    catId: idOf('分类', { required: true, wire: 'CatId' }),
    infs: list('接口', { wire: 'infs' }),
    properties: list('属性', { wire: 'properties' }),
  }),
})

export const listProducts = call({
  route: 'GET Product/GetList',
  title: '产品列表',
  needs: everyone,
  input: shape({
    productType: text('类型', { max: 30, wire: ['ProductType', 'typeCode'] }),
    keyword: text('关键字', { max: 60, wire: ['KeyWord', 'Keyword'] }),
    ids: list('编号', { max: 200, wire: 'Ids' }),
  }),
  output: listOfRows({
    id: product.fields.id,
    productName: product.fields.productName,
    productType: product.fields.productType,
    typeName: text('类型名称', { required: true }),
    catId: idOf('分类', { required: true, wire: 'CatId' }),
  }),
})
