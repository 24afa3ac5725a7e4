/** What the serial numbers of invoices begin with, and of the red ones (G-14). */
export const invoicePrefix = 'FP'
export const redInvoicePrefix = 'FPH'
