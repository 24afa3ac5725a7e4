import { call } from '#kit/contract/call.ts'
import { ref, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { fileResponse, listOfRows, shape } from '#kit/contract/shape.ts'
import { personLinkFields } from '#modules/access/contract/person-link.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'

const basePath = 'resident/v1/Code'
const { view, print, link } = menu.page.permissions

/** The codes of a project: one of its own, and one of each building. */
export const listEntranceCodes = call({
  route: `GET ${basePath}/Get`,
  title: '住户页二维码',
  needs: view,
  input: shape({ projectCode: estateField() }),
  output: listOfRows({
    name: text('位置', { required: true, wire: 'Name' }),
    url: text('地址', { required: true, wire: 'Url' }),
  }),
})

export const printEntranceCodes = call({
  route: `GET ${basePath}/GetSheet`,
  title: '打印住户页二维码',
  needs: print,
  input: shape({
    projectCode: estateField(),
    /** Where residents reach the product: what the browser that prints is at. */
    origin: text('网址', { required: true, max: 200, rule: rules.url, wire: 'Origin' }),
  }),
  output: fileResponse,
})

/** The links of one resident to the own page, each of a home or of a job. */
export const listHomeLinks = call({
  route: `GET ${basePath}/GetLinks`,
  title: '住户链接',
  needs: link,
  input: shape({ userId: ref('住户', 'resident', { required: true, wire: ['UserID', 'UserId'] }) }),
  output: listOfRows(personLinkFields),
})
