import { createRefSource } from '#kit/web/refs.ts'
import { pickCompanies } from '../../contract/company.ts'

/** Companies by name, pinyin, contact or room; those of the form's project where it names one. */
export default createRefSource(pickCompanies, {
  value: c => c.id,
  label: c => c.name,
  note: c => c.rooms?.slice(0, 2).join('、') || undefined,
  disabledReason: c => (c.state === 'movedOut' ? '已迁出' : undefined),
  inputForValues: ids => ({ ids: [...ids] }),
  ofFormProject: true,
})
