import './staff.css'

/** The last sign of a given name in a round: how lists distinguish people. */
export const StaffAvatar = ({ name, size = 24 }: { readonly name: string; readonly size?: number }) => (
  <i className="staff-face" aria-hidden style={{ width: size, height: size, fontSize: size / 2 }}>
    {[...name.trim()][0] ?? ''}
  </i>
)
