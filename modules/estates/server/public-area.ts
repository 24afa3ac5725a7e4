import { crudHandlers } from '#kit/server/crud.ts'
import { building } from '../contract/building.ts'
import { exportPublicAreas, publicAreas } from '../contract/public-area.ts'

export const publicAreaServer = crudHandlers(publicAreas, {
  codes: { code: 'A' },
  unique: { public_area_code_live: '该项目已有此公共区域编码' },
  references: { buildCode: { entity: building, missing: '楼栋不存在或不属于该项目' } },
  export: exportPublicAreas,
})
