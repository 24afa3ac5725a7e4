import { useNavigate } from 'react-router'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { useCall } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { useLiveRefetch } from '#kit/web/use-live-refetch.ts'
import { acknowledgeAlarm, listOpenAlarms, type ElevatorAlarm } from '../contract/alarm.ts'
import { menu, paths } from '../module.ts'
import { useAlarmSound } from './alarm-sound.ts'
import { useAlarmTitle } from './alarm-title.ts'
import { liveAlarms } from './live-alarms.ts'
import './elevators.css'

/** Also where a message was lost. */
const refetchMs = 30_000

const placeOf = ({ estateName, elevatorName, deviceName, deviceLocation, floor }: ElevatorAlarm): string =>
  [estateName, elevatorName ?? `未绑定设备 ${deviceName ?? ''}`, deviceLocation, floor && `${floor} 层`]
    .filter(Boolean)
    .join(' ')

/** Over every page while somebody is trapped; sounds until a person has acknowledged all of them. */
export function AlarmBand() {
  const navigate = useNavigate()
  const hasPermission = usePermission()
  useLiveRefetch(liveAlarms, [listOpenAlarms])
  const { data = [] } = useCall(listOpenAlarms, {}, { quiet: true, refetchMs })
  const waiting = data.filter(alarm => alarm.state === 'open')
  const [first] = waiting.length ? waiting : data
  const isSilent = useAlarmSound(waiting.length > 0)
  useAlarmTitle(waiting.length > 0)
  if (!first) return null
  const more = data.length > 1 ? `，共 ${data.length} 部电梯` : ''
  return (
    <p className="band elevator-alarm" data-tone="bad" data-waiting={waiting.length > 0} role="alert">
      <b>电梯困人报警</b>
      <span className="ellipsis">
        {placeOf(first)}
        {first.state === 'open' ? ' 尚未确认，请立即处理' : ` 由 ${first.acknowledgedBy ?? ''} 处理中`}
        {more}
      </span>
      {isSilent && <span className="elevator-alarm-silent">声音未开启，点击页面任意处开启</span>}
      {first.state === 'open' && hasPermission(menu.alarm.permissions.handle) && (
        <button
          type="button"
          className="linkish band-action"
          onClick={() => void sendAndInvalidate(acknowledgeAlarm, { id: first.id }).catch(() => undefined)}
        >
          确认
        </button>
      )}
      <button
        type="button"
        className="linkish band-action"
        onClick={() => void navigate(`${paths.alarms}?id=${first.id}`)}
      >
        查看
      </button>
    </p>
  )
}
