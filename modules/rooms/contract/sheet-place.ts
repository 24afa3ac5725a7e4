import { keyRef, text } from '#kit/contract/field.ts'

/** Columns by which a line of a sheet names one room: all three, or none. */
export const sheetPlaceFields = (roomNoSynonyms: readonly string[]) => ({
  buildCode: keyRef('楼栋', 'building', { synonyms: ['楼宇', '楼号', '栋'] }),
  unitName: text('单元', { max: 20 }),
  roomNo: text('房号', { max: 20, synonyms: roomNoSynonyms }),
})
