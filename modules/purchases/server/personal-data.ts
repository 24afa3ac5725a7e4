import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'

/** Who asked, bought and received answers for it: the names stay with the purchase. */
registerPersonalData({
  tables: {
    supplier: {
      purpose: '供应商的联系人',
      ground: 'contract',
      columns: { contact_name: 'name', phone: 'mobile', remark: 'text' },
      searchText: { names: ['supplier_name', 'contact_name'], codes: ['supplier_no', 'phone'] },
    },
    purchase: {
      purpose: '采购的申请与审批',
      ground: 'employment',
      people: { manager: inColumn('applicant_id') },
      columns: {
        applicant_name: 'kept',
        approver_name: 'kept',
        attachments: 'kept',
        title: 'text',
        purpose: 'text',
        urgent_reason: 'text',
        return_reason: 'text',
        end_reason: 'text',
      },
      exported: ['purchase_no', 'title', 'purpose', 'total_amount', 'submit_time', 'state'],
    },
    purchase_order: {
      purpose: '采购的订货',
      ground: 'employment',
      people: { manager: inColumn('buyer_id') },
      columns: { buyer_name: 'kept', remark: 'text', end_reason: 'text' },
      exported: ['order_no', 'amount', 'order_date', 'state'],
    },
    purchase_receipt: {
      purpose: '采购的收货',
      ground: 'employment',
      people: { manager: inColumn('receiver_id') },
      columns: { receiver_name: 'kept', remark: 'text', attachments: 'kept' },
      exported: ['receipt_no', 'amount', 'receive_date'],
    },
  },
  notPersonal: ['supplier.address'],
})
