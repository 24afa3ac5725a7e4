import { createRefSource } from '#kit/web/refs.ts'
import { listPackages } from '../../contract/package.ts'

export default createRefSource(listPackages, {
  value: p => p.id,
  label: p => p.name,
  note: p => p.standardNames?.join('、'),
  ofFormProject: true,
})
