import { crudHandlers } from '#kit/server/crud.ts'
import { exportPublicAreas, publicAreas } from '../contract/public-area.ts'

export const publicAreaServer = crudHandlers(publicAreas, {
  codes: { code: 'A' },
  pictures: ['photos'],
  unique: { public_area_code_live: '该项目已有此公共区域编码' },
  export: exportPublicAreas,
})
