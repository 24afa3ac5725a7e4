/** The tabs of a list of plans. */
export const planViews = [
  { id: '', name: '全部', filter: {} },
  { id: 'enabled', name: '启用', filter: { state: ['enabled'] } },
  { id: 'draft', name: '草稿', filter: { state: ['draft'] } },
  { id: 'off', name: '停用与结束', filter: { state: ['disabled', 'ended'] } },
]
