/**
 * The role of an MPI function in a profile, with the names that Score-P 8 writes (`SCOREP_RegionRole`). Functions that neither exchange data nor
 * synchronise have none.
 * @param name as in the standard, such as `MPI_Send`
 */
export function mpiRole(name: string): string {
  const own = name
    .replace(/^P?MPI_/i, '')
    .replace(/_c$/, '')
    .toLowerCase();
  if (/^(i?barrier)$/.test(own)) return 'barrier';
  // Nonblocking variants begin with an “I”, persistent ones of MPI-4 end with “_init”.
  const collective = own
    .replace(/^i(?=(bcast|scatter|gather|reduce|all|scan|exscan|neighbor)\w*$)/, '')
    .replace(/_init$/, '');
  if (/^(bcast|scatterv?)$/.test(collective)) return 'one2all';
  if (/^(gatherv?|reduce)$/.test(collective)) return 'all2one';
  if (/^(allgatherv?|alltoall[vw]?|allreduce|reduce_scatter(_block)?)$/.test(collective)) return 'all2all';
  if (/^(scan|exscan)$/.test(collective) || collective.startsWith('neighbor_')) return 'other collective';
  if (/^(i?[bsr]?send|i?m?recv|sendrecv(_replace)?|i?m?probe|start(all)?|isendrecv\w*)$/.test(own))
    return 'point2point';
  if (/^r?(put|get|accumulate|get_accumulate)$|^(fetch_and_op|compare_and_swap)$/.test(own)) return 'rma';
  return own.startsWith('file_') ? 'file io' : 'function';
}
