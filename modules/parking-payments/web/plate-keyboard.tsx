import { useState } from 'react'
import { normalizePlate } from '#modules/parking/contract/licence-plate.ts'

const provinces = [...'京津冀晋蒙辽吉黑沪苏浙皖闽赣鲁豫鄂湘粤桂琼渝川贵云藏陕甘青宁新']
const serials = [...'1234567890QWERTYUPASDFGHJKLZXCVBNMO挂学警港澳领使']
const maxLength = 8

interface KeyboardProps {
  readonly onPlate: (plateNo: string) => void
  readonly isBusy: boolean
}

/** A plate by its own keys: the province first, then letters and digits. Keys of a real keyboard work too. */
export function PlateKeyboard({ onPlate, isBusy }: KeyboardProps) {
  const [plate, setPlate] = useState('')
  const write = (text: string): void => setPlate(normalizePlate(text).slice(0, maxLength))
  const isWhole = plate.length >= 7
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
      <label className="field">
        <span className="label">车牌</span>
        <input
          className="plate-no"
          inputMode="none"
          autoComplete="off"
          placeholder="请输入车牌"
          value={plate}
          onChange={event => write(event.target.value)}
        />
      </label>
      <div className="keys" role="group" aria-label="车牌键盘">
        {(plate === '' ? provinces : serials).map(key => (
          <button key={key} type="button" onClick={() => write(`${plate}${key}`)}>
            {key}
          </button>
        ))}
        <button
          type="button"
          className="wide"
          disabled={plate === ''}
          onClick={() => setPlate(plate.slice(0, -1))}
        >
          删除
        </button>
      </div>
      <button type="submit" className="big primary" disabled={!isWhole || isBusy} aria-busy={isBusy}>
        查询停车费
      </button>
    </form>
  )
}
