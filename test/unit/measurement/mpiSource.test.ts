import { describe, expect, it } from 'vitest';
import { mpiRole } from '../../../src/core/names/mpiRoles';
import { readMpiHeader, readMpiVariables } from '../../../src/measurement/layers/mpiHeader';
import { mpiSource, weakVariables } from '../../../src/measurement/layers/mpiSource';

/** Declarations as the headers of Open MPI and MPICH have them, preprocessed. */
const header = `
# 1 "mpi.h"
typedef struct ompi_communicator_t *MPI_Comm;
typedef int (MPI_Copy_function)(MPI_Comm, int, void *);
__attribute__((visibility("default"))) extern struct ompi_predefined_communicator_t ompi_mpi_comm_world;
extern int *MPI_UNWEIGHTED __attribute__((deprecated("no (really)")));
__attribute__((visibility("default"))) int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest,
                                int tag, MPI_Comm comm);
int PMPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm) __attribute__((pointer_with_type_tag(mpi,1,3)));
double MPI_Wtime(void);
int MPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup);
int MPI_Pcontrol(const int level, ...);
MPI_Comm MPI_Comm_f2c(MPI_Fint comm);
int MPI_Status_set(MPI_Status *, unsigned int);
`;

describe('the functions of mpi.h', () => {
  it('are read with their parameters, by position; those of tools and conversions are not', () => {
    const functions = new Map(readMpiHeader(header).map((declared) => [declared.name, declared]));
    expect([...functions.keys()]).toEqual(['Send', 'Gatherv', 'Wtime', 'Group_range_incl', 'Status_set']);
    expect(functions.get('Send')).toEqual({
      name: 'Send',
      result: 'int',
      parameters: ['const void *p1', 'int p2', 'MPI_Datatype p3', 'int p4', 'int p5', 'MPI_Comm p6'],
    });
    expect(functions.get('Gatherv')?.parameters.slice(4, 6)).toEqual(['const int p5[]', 'const int p6[]']);
    expect(functions.get('Wtime')).toEqual({ name: 'Wtime', result: 'double', parameters: [] });
    expect(functions.get('Group_range_incl')?.parameters[2]).toBe('int p3[][3]');
    expect(functions.get('Status_set')?.parameters).toEqual(['MPI_Status * p1', 'unsigned int p2']);
  });

  it('get a definition under each of their names, which passes all parameters on', () => {
    const source = mpiSource(readMpiHeader(header));
    for (const name of ['MPI_Wtime', 'PMPI_Wtime']) {
      expect(source).toContain(`double kymo_of_${name}(void) {`);
      expect(source).toContain(`KYMO_JUMP(${name});`);
      expect(source).toContain(`{"${name}", &kymo_to_${name}},`);
    }
    expect(source).toContain('next(p1, p2, p3, p4, p5, p6)');
    expect(source.match(/kymo_mpi_sends\(p2, p3, p4, p5, p6, KYMO_BLOCKS\);/g)).toHaveLength(2);
    // A process that gathers in place sends its part of the result.
    expect(source).toContain('kymo_mpi_comm(p9)');
  });

  it('variables are weak: a program of another MPI library has to start', () => {
    expect(readMpiVariables(header)).toEqual(['ompi_mpi_comm_world', 'MPI_UNWEIGHTED']);
    expect(weakVariables(['ompi_mpi_comm_world'])).toBe('#pragma weak ompi_mpi_comm_world\n');
  });
});

describe('roles of MPI functions', () => {
  it.each([
    [
      'point2point',
      [
        'MPI_Send',
        'MPI_Issend',
        'MPI_Irecv',
        'MPI_Mrecv',
        'MPI_Sendrecv_replace',
        'MPI_Startall',
        'MPI_Iprobe',
        'MPI_Send_c',
      ],
    ],
    ['one2all', ['MPI_Bcast', 'MPI_Ibcast', 'MPI_Scatterv', 'MPI_Iscatter', 'MPI_Bcast_c']],
    ['all2one', ['MPI_Reduce', 'MPI_Ireduce', 'MPI_Gather', 'MPI_Igatherv']],
    [
      'all2all',
      ['MPI_Allreduce', 'MPI_Iallreduce', 'MPI_Alltoallw', 'MPI_Reduce_scatter_block', 'MPI_Iallgatherv'],
    ],
    ['other collective', ['MPI_Scan', 'MPI_Iexscan', 'MPI_Neighbor_alltoall', 'MPI_Ineighbor_allgather']],
    ['barrier', ['MPI_Barrier', 'MPI_Ibarrier']],
    ['rma', ['MPI_Put', 'MPI_Rget', 'MPI_Compare_and_swap']],
    ['file io', ['MPI_File_write_all']],
    ['function', ['MPI_Comm_rank', 'MPI_Init', 'MPI_Info_create', 'MPI_Initialized', 'MPI_Intercomm_create']],
  ])('%s', (role, names) => {
    expect(names.map(mpiRole)).toEqual(names.map(() => role));
  });
});
