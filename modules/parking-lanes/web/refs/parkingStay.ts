import { createRefSource } from '#kit/web/refs.ts'
import { listStays } from '../../contract/stay.ts'

/** Exits that nobody saw come in, of the car park of the form (PRK-8). */
export default createRefSource(listStays, {
  value: stay => stay.id,
  label: stay => `${stay.plateNo} 出场 ${stay.outTime?.slice(5, 16) ?? ''}`,
  note: stay => stay.outLaneName,
  disabledReason: stay => (stay.inTime === undefined ? undefined : '已有入场时间'),
  ofFormProject: true,
  inputFromContext: ({ parkId }) => ({
    state: ['abnormal'] as const,
    ...(parkId === undefined ? {} : { parkId: [String(parkId)] }),
  }),
})
