/** What is kept on the phone alone, and a button that sends it now. */
export function WaitingNotice({
  count,
  unit,
  onSend,
}: {
  readonly count: number
  readonly unit: string
  readonly onSend: () => void
}) {
  if (!count) return null
  return (
    <p className="waits" role="status">
      <span>
        {count} {unit}存在手机上，尚未上传
      </span>
      <button type="button" className="big" onClick={onSend}>
        立即上传
      </button>
    </p>
  )
}
