import { Button } from 'antd'
import { useLocation, useNavigate } from 'react-router'
import { openPalette } from '../command-palette.ts'

/** The message inside the shell for an address that is no screen: the menu stays, and a search is offered. */
export default function UnknownPage() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return (
    <div className="empty" role="alert">
      <h1 className="empty-title">页面不存在</h1>
      <p>页面 {pathname} 不存在：地址有误或功能未开通</p>
      <p className="empty-actions">
        <Button type="primary" onClick={openPalette}>
          搜索功能
        </Button>
        <Button onClick={() => void navigate('/work')}>返回工作台</Button>
      </p>
    </div>
  )
}
