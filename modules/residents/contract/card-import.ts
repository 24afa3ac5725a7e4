import { crudImport, type SheetLineOf } from '#kit/contract/crud-sheet.ts'
import { choice, choiceTable, list, text } from '#kit/contract/field.ts'
import { sheetPlaceFields } from '#modules/rooms/contract/sheet-place.ts'
import { menu } from '../module.ts'
import { identityCard } from './card.ts'
import { mobileField } from './labels.ts'

export const cardHolderKind = choiceTable('CardHolderKind', '持有人类型', {
  resident: [10, '住户'],
  staff: [20, '员工'],
})

/** A line: a card and whose it is, by the mobile number, or by the name in the room. */
export const importCards = crudImport(
  { entity: identityCard, path: 'PropertyUserIdentitycard' },
  {
    needs: menu.card.permissions.import,
    route: 'POST PropertyUserIdentitycard/PostImportCard',
    affects: ['identityCard', 'resident'],
    fields: {
      holderKind: choice('持有人类型', cardHolderKind, { help: '不填为住户' }),
      holderName: text('持有人', { required: true, max: 40, synonyms: ['姓名', '持卡人', '住户姓名'] }),
      holderMobile: mobileField('手机号', { synonyms: ['手机', '联系电话', '电话'] }),
      ...sheetPlaceFields(['房间号', '门牌号', '室号']),
      groupNames: list('门组', { max: 100, help: '住处、单位之外另授予的门；多个用逗号分隔' }),
    },
    columns: [
      'cardNo',
      'cardType',
      'holderKind',
      'holderName',
      'holderMobile',
      'buildCode',
      'unitName',
      'roomNo',
      'groupNames',
      'beginDate',
      'endDate',
      'deposit',
      'remark',
    ],
    unique: ['cardNo'],
  },
)

export type CardSheetRow = SheetLineOf<typeof importCards>
