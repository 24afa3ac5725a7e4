import { useState } from 'react'
import { isWholePlate, PlateKeys } from '#modules/parking/web/public.plate-keys.tsx'

/** What a car owes, by its plate. */
export function PlateQuery({ onPlate }: { readonly onPlate: (plateNo: string) => void }) {
  const [plate, setPlate] = useState('')
  const isWhole = isWholePlate(plate)
  return (
    <form
      className="plate"
      aria-label="查询车辆"
      onSubmit={event => {
        event.preventDefault()
        if (isWhole) {
          onPlate(plate)
        }
      }}
    >
      <PlateKeys value={plate} onChange={setPlate} />
      <button type="submit" className="big primary" disabled={!isWhole}>
        查询停车费
      </button>
    </form>
  )
}
