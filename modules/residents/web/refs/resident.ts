import { refOf } from '#kit/web/refs.ts'
import { listResidents } from '../../contract/resident.ts'

/** People by name, pinyin, phone or room; those of the form's project where it names one. */
export default refOf(listResidents, {
  value: r => r.id, label: r => r.name, note: r => [r.mobile, r.homes?.map(h => h.roomPath).join('、')].filter(Boolean).join(' · '), off: r => (r.state === 'gone' ? '已注销' : undefined),
  input: given => (given.projectCode ? { projectCode: String(given.projectCode) } : {}), hangsOn: ['projectCode'],
})
