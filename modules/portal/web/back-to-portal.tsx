import { useNavigate } from 'react-router'
import { paths } from '../module.ts'

export function BackToPortal() {
  const navigate = useNavigate()
  return (
    <button type="button" className="linkish" onClick={() => void navigate(paths.home)}>
      返回门户首页
    </button>
  )
}
